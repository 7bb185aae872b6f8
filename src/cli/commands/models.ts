import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { EncoderFolderError } from '../../embeddings/folder-error.ts';
import { readEncoderFolder } from '../../embeddings/folder-layout.ts';
import { PullError } from '../../embeddings/hub-file.ts';
import { createLocalModel } from '../../embeddings/local.ts';
import { CATALOGUE } from '../../embeddings/model-catalogue.ts';
import { readManifest } from '../../embeddings/model-manifest.ts';
import { pulledFolder, pullModel } from '../../embeddings/pull-model.ts';
import { modelCache } from '../../providers.ts';
import { configured } from '../connection.ts';
import { outputOf, type Terminal } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { type Output, table } from '../output.ts';

const MB = 1_000_000;

/** `forge models`: encoders that run on this machine. */
export function modelCommands(program: Command, terminal: Terminal): void {
  const models = program
    .command('models')
    .description('Sentence encoders that run on this machine, for search without a key');

  models
    .command('list')
    .description('Encoders that are known by name, and whether they were pulled')
    .action((_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      const cache = modelCache(configured(terminal.environment));
      const known = CATALOGUE.map(({ name, about, megabytes, licence }) => {
        const isPulled = readManifest(pulledFolder(cache, name)) !== null;
        return { name, about, megabytes, licence, pulled: isPulled };
      });
      if (out.isJson) return out.json({ object: 'list', data: known });
      const rows = known.map((each) => [
        each.name,
        each.megabytes,
        each.licence,
        each.pulled ? 'pulled' : '',
        each.about,
      ]);
      out.line(table([['name', 'MB', 'licence', '', 'for'], ...rows], out.width));
    });

  models
    .command('pull')
    .argument(
      '<name>',
      'of `forge models list`, or any repository of the hub: OWNER/NAME, OWNER/NAME@REVISION',
    )
    .description('Fetch an encoder into MODEL_CACHE_DIR; LOCAL_MODEL=NAME uses it then')
    .action(async (name: string, _options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      const config = configured(terminal.environment);
      await orExplain(() => pull(name, config, { out, terminal }));
    });

  models
    .command('check')
    .argument('[dir]', 'folder of an encoder; else that of the settings')
    .description(
      'Look whether an encoder can be used: its files, their hashes where it was pulled, and a text embedded',
    )
    .action(async (dir: string | undefined, _options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      const config = configured(terminal.environment);
      await orExplain(() => check(dir ?? folderOf(config), out));
    });
}

function folderOf(config: Config): string {
  const { LOCAL_MODEL: name, LOCAL_MODEL_DIR: folder } = config;
  if (name !== undefined) return pulledFolder(modelCache(config), name);
  if (folder !== undefined) return folder;
  throw new CliError(EXIT.usage, 'Name a folder, or set LOCAL_MODEL or LOCAL_MODEL_DIR.');
}

async function pull(
  name: string,
  config: Config,
  { out, terminal }: { out: Output; terminal: Terminal },
): Promise<void> {
  const control = new AbortController();
  const release = terminal.onInterrupt(() => control.abort());
  const cache = modelCache(config);
  try {
    const { folder, manifest, layout, wasThere } = await pullModel(name, {
      cache,
      hub: config.MODEL_HUB_URL,
      signal: control.signal,
      onProgress: progressOn(out),
    });
    out.live?.('');
    if (out.isJson) return out.json({ object: 'model', ...manifest, folder, model: layout.id });
    for (const [file, { sha256, bytes, pinned }] of Object.entries(manifest.files)) {
      const origin = pinned ? '' : ' (from the hub; held to from now on)';
      out.line(`${file}  ${(bytes / MB).toFixed(1)} MB  sha256 ${sha256}${origin}`);
    }
    out.line(`${manifest.name} ${wasThere ? 'was there already, unchanged' : 'is'} in ${folder}`);
    out.note(`LOCAL_MODEL=${manifest.name} uses it; then run: npx forge reindex`);
  } catch (error) {
    if (control.signal.aborted) {
      throw new CliError(EXIT.interrupted, 'Broken off; the same command goes on with what has come.', error);
    }
    throw error;
  } finally {
    release();
  }
}

/** A line that changes on a terminal, a line for each tenth elsewhere. */
function progressOn(out: Output): (file: string, done: number, total: number | null) => void {
  const told = new Map<string, number>();
  return (file, done, total) => {
    const share = total === null ? null : Math.floor((100 * done) / total);
    const text = `${file} ${(done / MB).toFixed(1)} MB${share === null ? '' : `, ${share} %`}`;
    if (out.live) return out.live(text);
    const tenth = Math.floor((share ?? 0) / 10);
    if (tenth > (told.get(file) ?? 0)) {
      told.set(file, tenth);
      out.note(text);
    }
  };
}

async function check(folder: string, out: Output): Promise<void> {
  const layout = readEncoderFolder(folder);
  const model = createLocalModel({ workers: 1, layout });
  try {
    await model.tryOut?.();
  } finally {
    await model.close();
  }
  const { name, id, dimensions, pooling, maxTokens, prefixes, modelFile, modelBytes } = layout;
  if (out.isJson) {
    return out.json({
      object: 'model',
      folder,
      name,
      model: id,
      dimensions,
      pooling,
      max_tokens: maxTokens,
      prefixes,
    });
  }
  out.line(`${name} can be used: ${modelFile}, ${(modelBytes / MB).toFixed(0)} MB with its tokenizer`);
  out.line(`vectors of ${dimensions} numbers, ${pooling} pooling, ${maxTokens} tokens of a text are read`);
  out.line(
    `in front of a query ${JSON.stringify(prefixes.query)}, of a document ${JSON.stringify(prefixes.document)}`,
  );
  out.line(`its vectors are kept as those of ${id}`);
}

/** Says what is wrong in the words of the model's side. */
async function orExplain(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PullError) {
      throw new CliError(error.isFinal ? EXIT.failed : EXIT.unavailable, error.message, error);
    }
    if (error instanceof EncoderFolderError) throw new CliError(EXIT.failed, error.message, error);
    throw error;
  }
}
