import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createEmbeddingModel } from '../../src/providers.ts';
import { startModelHub } from '../fakes/model-hub.ts';
import { runForge } from '../helpers/command-line.ts';
import { tinyEncoder, writeFiles } from '../helpers/tiny-encoder.ts';

const COMMIT = 'c0ffee0000000000000000000000000000000000';

let root: string;
let hub: Awaited<ReturnType<typeof startModelHub>>;
let settings: Record<string, string>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'forge-models-cli-'));
  const files = Object.entries(tinyEncoder()).map(([name, content]) => [
    name,
    content instanceof Uint8Array ? content : JSON.stringify(content),
  ]);
  hub = await startModelHub({ 'maker/tiny': { commit: COMMIT, files: Object.fromEntries(files) } });
  settings = { MODEL_HUB_URL: hub.url, MODEL_CACHE_DIR: join(root, 'cache'), DATA_DIR: join(root, 'data') };
});
afterAll(async () => {
  await hub.close();
  rmSync(root, { recursive: true, force: true });
});

it('pulls a model, shows its hashes, and the settings can use it by its name', async () => {
  const named = { ...settings, LOCAL_MODEL: 'maker/tiny' };
  expect(() => createEmbeddingModel(readConfig(named))).toThrow(/forge models pull maker\/tiny/);

  const pulled = await runForge(['models', 'pull', 'maker/tiny'], { settings });
  expect(pulled.stdout).toMatch(
    /^tokenizer\.json .* sha256 [0-9a-f]{64} \(from the hub; held to from now on\)$/m,
  );
  expect(pulled).toMatchObject({ code: 0, stderr: expect.stringContaining('LOCAL_MODEL=maker/tiny') });
  const again = await runForge(['models', 'pull', 'maker/tiny', '--json'], { settings });
  expect(again.json()).toEqual([expect.objectContaining({ name: 'maker/tiny', revision: COMMIT })]);

  const model = createEmbeddingModel(readConfig(named));
  expect(model.id).toMatch(/^local\/tiny@/);
  await model.close();
  const checked = await runForge(['models', 'check'], { settings: named });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(model.id) });
});

it('lists what there is, and what of it was pulled', async () => {
  const { stdout, code } = await runForge(['models', 'list'], { settings });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^bge-small-en-v1\.5 +35 +MIT/m);
});

it('says what is wrong with a folder, and with a name', async () => {
  const folder = writeFiles(join(root, 'broken'), { ...tinyEncoder(), 'model.onnx': 'no network' });
  const checked = await runForge(['models', 'check', folder], { settings });
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used') });
  expect((await runForge(['models', 'check'], { settings })).code).toBe(2);
  const unknown = await runForge(['models', 'pull', 'bge-tiny'], { settings });
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('bge-small-en-v1.5') });
});

it('takes one local model, not two', () => {
  const both = { LOCAL_MODEL: 'maker/tiny', LOCAL_MODEL_DIR: root };
  expect(() => readConfig(both)).toThrow(/LOCAL_MODEL: cannot be set together with LOCAL_MODEL_DIR/);
});
