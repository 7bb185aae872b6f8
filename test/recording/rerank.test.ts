import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTraffic } from '../../src/recording/open-traffic.ts';
import type { Traffic } from '../../src/recording/traffic.ts';
import { createRerankServer } from '../../src/reranking/server.ts';
import { createVoyageReranker } from '../../src/reranking/voyage.ts';
import { startFakeReranker } from '../fakes/rerank-server.ts';

const log = { warn: vi.fn(), error: vi.fn() };
const NOWHERE = 'http://127.0.0.1:9';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

const modelsOn = (traffic: Traffic, tei: string, voyage: string) => [
  createRerankServer({
    dialect: 'tei',
    model: 'tei',
    apiKey: 'secret',
    baseUrl: tei,
    fetch: traffic.fetchFor({ provider: 'tei', phase: 'rerank' }),
  }),
  createVoyageReranker({
    apiKey: 'secret',
    baseUrl: voyage,
    model: 'rerank-2.5-lite',
    fetch: traffic.fetchFor({ provider: 'voyage', phase: 'rerank' }),
  }),
];

it('records calls to rerankers without the key, and replays them without a server', async () => {
  const tei = await startFakeReranker({ format: 'tei' });
  const voyage = await startFakeReranker({ format: 'voyage', apiKey: 'secret' });
  const recorder = (await openTraffic({ record: folder, replay: undefined }, log)) as Traffic;
  const texts = ['Dana decides.', 'It rains.'];
  const ask = (traffic: Traffic, teiUrl: string, voyageUrl: string, query = 'Who decides?') =>
    Promise.all(modelsOn(traffic, teiUrl, voyageUrl).map((model) => model.rerank(query, texts, {})));
  const recorded = await ask(recorder, tei.url, voyage.url);
  await Promise.all([recorder.close(), tei.close(), voyage.close()]);
  const files = await readdir(folder);
  expect(files).toHaveLength(2);
  for (const name of files) expect(await readFile(join(folder, name), 'utf8')).not.toContain('secret');

  const replay = (await openTraffic({ record: undefined, replay: folder }, log)) as Traffic;
  expect(await ask(replay, NOWHERE, `${NOWHERE}/v1`)).toEqual(recorded);
  await expect(ask(replay, NOWHERE, `${NOWHERE}/v1`, 'Something else?')).rejects.toMatchObject({
    advice: expect.stringContaining('is not recorded'),
  });
});
