import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHeldModel, streamOnce } from './held-model.ts';
import { startNginx } from './nginx.ts';
import { findProgram } from './program.ts';
import { startService } from './service.ts';
import type { Row } from './table.ts';

/**
 * A stream through an nginx that buffers and compresses: the first words must be there before the last are said. The
 * control is an nginx that does not heed the service's `X-Accel-Buffering`: it must hold them back, or the other row
 * shows nothing.
 */
export async function streamThroughProxy(): Promise<Row[]> {
  const program = findProgram('nginx');
  if (program === null) return [{ proxy: 'nginx', skipped: 'nginx is not installed', failed: '' }];
  const model = await startHeldModel();
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
