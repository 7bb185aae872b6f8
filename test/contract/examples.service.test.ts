import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddingModel } from '../../src/embeddings/model.ts';
import { type LanguageModel, ModelError } from '../../src/llm/model.ts';
import { createOfflineModel } from '../../src/llm/offline.ts';
import { packageRoot } from '../../src/package-root.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';
import { HOLDING } from './examples/files.ts';
import { createRecorder, type Recorder } from './examples/recorder.ts';
import { playRefusals } from './examples/refusals.ts';
import { model, playSession } from './examples/session.ts';
import { addWorded } from './examples/worded.ts';

const PATH = join(packageRoot, 'openapi', 'examples.json');

/** The offline model, which is away when the session says so. */
function sometimesAway(): LanguageModel {
  const offline = createOfflineModel();
  return {
    ...offline,
    async generate(request) {
      if (!model.failsNext) return offline.generate(request);
      model.failsNext = false;
      throw new ModelError('the provider does not answer', { reason: 'unavailable', status: 503 });
    },
  };
}

/** The fake embedder, which some texts hold up until the work is called off. */
function holding(): EmbeddingModel {
  const embedder = createFakeEmbeddingModel();
  return {
    ...embedder,
    async embed(texts, options) {
      if (texts.some((text) => text.includes(HOLDING))) {
        await new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true });
        });
      }
      return embedder.embed(texts, options);
    },
  };
}

/** Some two hundred requests, and services of their own for what is refused. */

let app: TestApp;
let receiver: Receiver;
let recorder: Recorder;
beforeAll(async () => {
  app = await startTestApp({
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    overrides: { answerModel: sometimesAway(), embeddingModel: holding() },
  });
  recorder = await createRecorder(app);
  receiver = await startReceiver();
  await playSession(recorder, () => app.settle(), {
    receive: async (id) =>
      void (await app.db.query('update webhooks set url = $1 where webhook_id = $2', [receiver.url, id])),
    async settled() {
      for (let left = 1; left > 0; ) {
        const { rowCount } = await app.db.query(`select from webhook_deliveries where status = 'pending'`);
        left = rowCount;
      }
    },
  });
});
beforeAll(async () => {
  await app.drain();
  await recorder.call('getReadiness', 503);
  recorder.faults.push(...(await playRefusals(recorder.examples)));
  addWorded(recorder.examples);
});
afterAll(() => Promise.all([app.close(), receiver.close()]));

/** How many calls there were by then is chance: some are made behind the answers. */
const withoutAmounts = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'number' ? 0 : value));

describe('the examples of the contract', () => {
  it('are from a session in which every answer was what the contract says', () => {
    expect(recorder.faults).toEqual([]);
  });

  it('are what the service answers now', async () => {
    const recorded = `${JSON.stringify(recorder.examples, null, 1)}\n`;
    if (process.env.WRITE_EXAMPLES === '1') await writeFile(PATH, recorded);
    // `npm run openapi:examples` writes them anew
    const committed = await readFile(PATH, 'utf8').catch(() => '{}');
    expect(withoutAmounts(recorded)).toEqual(withoutAmounts(committed));
  });
});
