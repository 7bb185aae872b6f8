import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../helpers/sse.ts';
import { startNginx } from './nginx.ts';
import { findProgram } from './program.ts';
import { startProviders } from './providers.ts';
import { startService } from './service.ts';
import type { Row } from './table.ts';

/** The first words are there at once, or not for this long; the control waits it out. */
const HELD_BACK_MS = 3_000;
const TERMINAL = /^turn\.(completed|failed|cancelled)$/;

/** A model whose turns have two calls: some words at once, the last ones when it is told to. */
async function startModel() {
  const gate = { open: (): void => undefined, opened: Promise.resolve() };
  let calls = 0;
  const providers = await startProviders(async () => {
    if (calls++ % 2 === 0) {
      const input = { field: 'decision_maker', value: 'Dana' };
      return { text: ['First words. '], toolCalls: [{ name: 'update_skeleton', input }] };
    }
    await gate.opened;
    return { text: 'Last words.' };
  });
  return {
    ...providers,
    close(): Promise<void> {
      gate.open();
      return providers.close();
    },
    hold(): void {
      gate.opened = new Promise((resolve) => {
        gate.open = resolve;
      });
    },
    release: (): void => gate.open(),
  };
}

/** One turn through a proxy: whether its first words come before its last ones are said. */
async function streamOnce(url: string, model: Awaited<ReturnType<typeof startModel>>) {
  model.hold();
  // a proxy that buffers holds back the headers as well
  const opening = openStream(`${url}/projects/p/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"Dana decides."}',
  });
  const first = opening.then((stream) => stream.until('answer.delta'));
  const words = await Promise.race([
    first.then(() => 'at once'),
    delay(HELD_BACK_MS).then(() => 'held back'),
  ]);
  model.release();
  const stream = await opening;
  await first; // one reader at a time
  const events = await stream.all();
  const ids = events.map(({ id }) => id);
  return {
    words,
    encoding: stream.response.headers.get('content-encoding') ?? 'none',
    events: events.length,
    last: events.at(-1)?.event ?? 'nothing',
    whole:
      ids.every((id, index) => id === index + 1) &&
      events.filter(({ event }) => TERMINAL.test(event)).length === 1,
  };
}

/**
 * A stream through an nginx that buffers and compresses: the first words must be there before the last are said. The
 * control is an nginx that does not heed the service's `X-Accel-Buffering`: it must hold them back, or the other row
 * shows nothing.
 */
export async function streamThroughProxy(): Promise<Row[]> {
  const program = findProgram('nginx');
  if (program === null) return [{ proxy: 'nginx', skipped: 'nginx is not installed', failed: '' }];
  const model = await startModel();
  const folder = await mkdtemp(join(tmpdir(), 'forge-proxy-'));
  const service = await startService({ DATA_DIR: folder, ...model.settings });
  const nginx = await startNginx(program, service.url);
  try {
    await fetch(`${nginx.heeding}/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"p","name":"P"}',
    });
    const rows: Row[] = [];
    for (const [proxy, url, expected] of [
      ['nginx, buffering', nginx.heeding, 'at once'],
      ['the same, deaf to X-Accel-Buffering', nginx.deaf, 'held back'],
    ] as const) {
      const { whole, ...seen } = await streamOnce(url, model);
      const failed = [
        seen.words === expected ? '' : `the first words came ${seen.words}, not ${expected}`,
        seen.last === 'turn.completed' ? '' : `the last event was ${seen.last}`,
        whole ? '' : 'events are missing',
      ].find((problem) => problem !== '');
      rows.push({ proxy, ...seen, failed: failed === undefined ? '' : `${proxy}: ${failed}` });
    }
    return rows;
  } finally {
    await nginx.stop();
    await model.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
