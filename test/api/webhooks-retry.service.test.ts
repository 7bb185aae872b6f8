import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

let forge: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  // a receiver may take all the time that a busy machine needs
  const settings = {
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SECONDS: '0',
    WEBHOOK_TIMEOUT_SECONDS: '60',
  };
  forge = await startTestApp({ settings });
  receiver = await startReceiver();
});
afterAll(() => Promise.all([forge.close(), receiver.close()]));

it('a delivery that is made once more during an attempt is recorded as it was answered then', async () => {
  const { body: webhook } = await forge.call('POST', '/webhooks', { url: receiver.url });
  const held: ServerResponse[] = [];
  receiver.answerWith((response) => void held.push(response));
  const deliveries = async () => (await forge.call('GET', `/webhooks/${webhook.id}/deliveries`)).body.data;
  await forge.call('POST', `/webhooks/${webhook.id}/test`);
  await receiver.until(() => held.length === 1);
  const [{ id }] = await deliveries();
  await forge.call('POST', `/webhooks/${webhook.id}/deliveries/${id}/retry`);
  await receiver.until(() => held.length === 2);
  held[0]?.writeHead(500).end();
  // what the first attempt records, if it does, is recorded by then
  for (let look = 0; look < 20; look++) await deliveries();
  held[1]?.end();
  await expect
    .poll(deliveries)
    .toMatchObject([{ id, status: 'delivered', attempts: 1, log: [{ status_code: 200 }] }]);
  expect(receiver.messages).toHaveLength(2);
});
