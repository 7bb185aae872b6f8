import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Pull, pullFile } from '../../src/embeddings/hub-file.ts';
import { CATALOGUE } from '../../src/embeddings/model-catalogue.ts';
import { pullModel } from '../../src/embeddings/pull-model.ts';
import { startModelHub } from '../fakes/model-hub.ts';
import { tinyEncoder } from '../helpers/tiny-encoder.ts';

const COMMIT = 'c0ffee0000000000000000000000000000000000';
const BYTES = Buffer.alloc(200_000, 'weights ');
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const tiny = (): Record<string, string | Uint8Array> =>
  Object.fromEntries(
    Object.entries(tinyEncoder()).map(([name, content]) => [
      name,
      content instanceof Uint8Array ? content : JSON.stringify(content),
    ]),
  );

let cache: string;
let hub: Awaited<ReturnType<typeof startModelHub>>;
beforeEach(async () => {
  cache = mkdtempSync(join(tmpdir(), 'forge-models-'));
  hub = await startModelHub({
    'maker/tiny': { commit: COMMIT, files: tiny() },
    'maker/large': { commit: COMMIT, files: { 'model.onnx': BYTES } },
  });
});
afterEach(async () => {
  await hub.close();
  rmSync(cache, { recursive: true, force: true });
});

const retry = { attempts: 3, minDelayMs: 1, maxDelayMs: 5 };
const { signal } = new AbortController();

const pullLarge = (changes: Partial<Pull> = {}) =>
  pullFile({
    hub: hub.url,
    repository: 'maker/large',
    revision: COMMIT,
    path: 'model.onnx',
    target: join(cache, 'large', 'model.onnx'),
    signal,
    retry,
    ...changes,
  });
const options = () => ({ cache, hub: hub.url, signal, retry });

describe('pullFile', () => {
  it('follows the hub to where the file lies, and tells the commit and how far it is', async () => {
    const steps: number[] = [];
    const pulled = await pullFile({
      hub: `${hub.url}/`,
      repository: 'maker/large',
      revision: 'main',
      path: 'model.onnx',
      target: join(cache, 'model.onnx'),
      sha256: sha256(BYTES),
      signal,
      onProgress: (done, total) => steps.push(done / (total ?? 0)),
    });
    expect(pulled).toEqual({ sha256: sha256(BYTES), bytes: BYTES.length, commit: COMMIT });
    expect(steps.at(-1)).toBe(1);
  });

  it('goes on where a connection broke off', async () => {
    hub.fail('model.onnx', { stopAfter: 70_000 });
    await pullLarge({
      sha256: sha256(BYTES),
      onProgress: (done) => {
        if (done === 70_000) hub.breakOff();
      },
    });
    expect(hub.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=70000-']);
    expect(readFileSync(join(cache, 'large', 'model.onnx'))).toEqual(BYTES);
  });

  it('starts again where the hub knows no parts', async () => {
    mkdirSync(join(cache, 'large'));
    writeFileSync(join(cache, 'large', 'model.onnx'), BYTES.subarray(0, 70_000));
    hub.fail('model.onnx', { ignoreRange: true });
    expect((await pullLarge()).sha256).toBe(sha256(BYTES));
    expect(hub.asked.map(({ range }) => range)).toEqual(['bytes=70000-']);
  });

  it('is content with a file that is there as a whole', async () => {
    await pullLarge();
    expect((await pullLarge({ sha256: sha256(BYTES) })).bytes).toBe(BYTES.length);
  });

  it('tries again what may pass', async () => {
    hub.fail('model.onnx', { status: 429, headers: { 'retry-after': '0' } }, { status: 503 });
    expect((await pullLarge()).bytes).toBe(BYTES.length);
  });

  it('keeps nothing of a file that has another hash', async () => {
    await expect(pullLarge({ sha256: 'a'.repeat(64) })).rejects.toThrow(
      /model\.onnx is not what it has to be/,
    );
    expect(existsSync(join(cache, 'large', 'model.onnx'))).toBe(false);
  });

  it('holds a file to the hash that the hub says of it', async () => {
    hub.linkHash('model.onnx', 'b'.repeat(64));
    await expect(pullLarge()).rejects.toThrow(`and not ${'b'.repeat(64)}`);
  });

  it('starts again when what was left of an earlier try is of another file', async () => {
    const target = join(cache, 'stale.onnx');
    writeFileSync(target, 'something else');
    const pulled = await pullFile({
      hub: hub.url,
      repository: 'maker/large',
      revision: COMMIT,
      path: 'model.onnx',
      target,
      sha256: sha256(BYTES),
      signal,
      retry,
    });
    expect(pulled.bytes).toBe(BYTES.length);
  });

  it.each([
    [403, /lets nobody have maker\/large at c0ffee.* without an account \(403\).*LOCAL_MODEL_DIR/],
    [418, /answered 418/],
    [500, /answered 500/],
  ])('says what the hub refuses with %i', async (status, expected) => {
    hub.fail('model.onnx', { status }, { status }, { status });
    await expect(pullLarge()).rejects.toThrow(expected);
  });

  it('says that a file is not there, and that a hub does not answer', async () => {
    await expect(pullLarge({ path: 'other.onnx' })).rejects.toMatchObject({ isMissing: true });
    await hub.close();
    await expect(pullLarge()).rejects.toThrow(/cannot be reached: .*MODEL_HUB_URL names another hub/);
  });

  it('does not follow for ever', async () => {
    const round = `/cdn/maker/large/resolve/${COMMIT}/model.onnx`;
    hub.fail('model.onnx', ...Array.from({ length: 10 }, () => ({ redirectTo: round })));
    await expect(pullLarge()).rejects.toThrow(/from one address to the next/);
  });

  it('stops when it is aborted', async () => {
    await expect(pullLarge({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

describe('pullModel', () => {
  it('pulls any repository of the hub, all of one commit, and holds it to what came', async () => {
    const pulled = await pullModel('maker/tiny', options());
    expect(pulled).toMatchObject({ wasThere: false, layout: { name: 'tiny', dimensions: 4 } });
    expect(pulled.folder).toBe(join(cache, 'maker--tiny'));
    expect(pulled.manifest).toMatchObject({ name: 'maker/tiny', repository: 'maker/tiny', revision: COMMIT });
    expect(pulled.manifest.files['model.onnx']).toMatchObject({ pinned: false });
    expect(hub.asked.filter(({ path }) => path === 'model.onnx')).toEqual([
      expect.objectContaining({ revision: COMMIT }),
    ]);
    expect(existsSync(`${pulled.folder}.partial`)).toBe(false);

    const again = hub.asked.length;
    expect(await pullModel('maker/tiny', options())).toMatchObject({ wasThere: true });
    expect(hub.asked).toHaveLength(again);
  });

  it('does not take another commit for the one that is asked for', async () => {
    await pullModel(`maker/tiny@${COMMIT}`, options());
    expect(await pullModel('maker/tiny', options())).toMatchObject({ wasThere: true });
    await expect(pullModel(`maker/tiny@${'d'.repeat(40)}`, options())).rejects.toThrow(
      `has the commit ${COMMIT}`,
    );
  });

  it('refuses a file that was changed since it was pulled, here and at every start', async () => {
    const { folder } = await pullModel('maker/tiny', options());
    writeFileSync(join(folder, 'tokenizer.json'), '{}');
    await expect(pullModel('maker/tiny', options())).rejects.toThrow(
      /tokenizer\.json is not the file that was pulled.*forge models pull maker\/tiny/,
    );
  });

  it('leaves nothing in the cache that has a name when it fails, and goes on the next time', async () => {
    const failures = Array.from({ length: 3 }, () => ({ status: 500 }));
    hub.fail('model.onnx', ...failures);
    await expect(pullModel('maker/tiny', options())).rejects.toThrow('answered 500');
    expect(existsSync(join(cache, 'maker--tiny'))).toBe(false);
    expect((await pullModel('maker/tiny', options())).layout.name).toBe('tiny');
  });

  it('does not touch a folder that somebody else has filled', async () => {
    await pullModel('maker/tiny', options());
    rmSync(join(cache, 'maker--tiny', 'forge-model.json'));
    await expect(pullModel('maker/tiny', options())).rejects.toThrow(/was not pulled/);
  });

  it.each(['nothing-like-this', '../secrets', 'maker/../x', '/etc/passwd'])(
    'knows no model %s, and says which there are',
    async (name) => {
      await expect(pullModel(name, options())).rejects.toThrow(/There is no model .*bge-small-en-v1\.5/);
    },
  );

  it('says that a repository has no network that can be run', async () => {
    await hub.close();
    const { 'model.onnx': _, ...files } = tiny();
    hub = await startModelHub({ 'maker/weights': { commit: COMMIT, files } });
    await expect(pullModel('maker/weights', options())).rejects.toThrow(/no network that can be run here/);
  });

  it('refuses a model of the catalogue that is not the one that is pinned', async () => {
    const [model] = CATALOGUE;
    if (!model) throw new Error('the catalogue is empty');
    await hub.close();
    const files = Object.fromEntries(model.files.map(({ path }) => [path, 'something else']));
    hub = await startModelHub({ [model.repository]: { commit: model.revision, files } });
    await expect(pullModel(model.name, options())).rejects.toThrow(/is not what it has to be/);
    expect(existsSync(join(cache, model.name))).toBe(false);
  });
});

describe('CATALOGUE', () => {
  it('pins the commit and the hash of every file', () => {
    for (const { name, revision, files } of CATALOGUE) {
      expect(name).toMatch(/^[\w.-]+$/);
      expect(revision).toMatch(/^[0-9a-f]{40}$/);
      for (const { sha256: hash } of files) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
