import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createContainer } from '../../src/container.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';

it('says at its start what the embedded database does not promise', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-notice-'));
  const lines: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => void lines.push(line) });
  const container = await createContainer(readConfig({ DATA_DIR: dataDir }), log, {
    embeddingModel: createFakeEmbeddingModel(),
  });
  await container.close();
  await rm(dataDir, { recursive: true, force: true });
  expect(lines.filter((line) => /does not wait for the disk.*forge backup/.test(line))).toHaveLength(1);
});
