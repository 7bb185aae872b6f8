import type { z } from 'zod';
import { type EmbeddingCalibration, embeddingCalibrationSchema } from '../src/embeddings/calibration.ts';
import { retrievalTuning, retrievalTuningSchema } from '../src/retrieval/tuning.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

const settingsSchema = retrievalTuningSchema.extend({ model: embeddingCalibrationSchema });

/** What retrieval is measured with: every constant of ranking, and what is known of the model. */
export type EvalSettings = Readonly<z.output<typeof settingsSchema>>;

/** A setting by its path, such as `fusion.k`. */
export type Setting = readonly [key: string, value: number];

interface Tree {
  readonly [name: string]: number | Tree;
}

/** What the service ranks by with a model of this calibration. */
export const settingsInForce = (model: EmbeddingCalibration): EvalSettings => ({ ...retrievalTuning, model });

function keysOf(tree: Tree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${prefix}${name}`] : keysOf(value, `${prefix}${name}.`),
  );
}

function replaced(tree: Tree, [name = '', ...rest]: string[], value: number): Tree {
  const below = tree[name];
  return { ...tree, [name]: typeof below === 'object' ? replaced(below, rest, value) : value };
}

/** The value of one setting. */
export function settingAt(settings: EvalSettings, key: string): number {
  const found = key
    .split('.')
    .reduce<number | Tree | undefined>(
      (at, name) => (typeof at === 'object' ? at[name] : undefined),
      settings,
    );
  if (typeof found !== 'number') throw new Error(`there is no setting ${key}`);
  return found;
}

/**
 * Reads `key=value`, or `key=value,value` for several.
 *
 * @throws UsageError for an unknown key, naming the nearest one, and for what is not a number
 */
export function readSettings(text: string, known: EvalSettings): Setting[] {
  const at = text.indexOf('=');
  const key = text.slice(0, at === -1 ? undefined : at);
  const keys = keysOf(known);
  if (!keys.includes(key)) {
    const meant = nearest(key, keys);
    throw new UsageError(
      `There is no setting ${key}. ${meant === undefined ? `Settings: ${keys.join(', ')}` : `The nearest is ${meant}`}.`,
    );
  }
  if (at === -1) throw new UsageError(`${key} has no value: write ${key}=NUMBER.`);
  return text
    .slice(at + 1)
    .split(',')
    .map((value): Setting => {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      if (!Number.isFinite(number)) throw new UsageError(`${key} is a number, and "${value}" is none.`);
      return [key, number];
    });
}

/**
 * The settings with some of them replaced. They are looked at together, as some depend on each other.
 *
 * @throws UsageError for a value that is out of range
 */
export function withSettings(base: EvalSettings, changes: readonly Setting[]): EvalSettings {
  const tree = changes.reduce<Tree>((made, [key, value]) => replaced(made, key.split('.'), value), base);
  const { success, data, error } = settingsSchema.safeParse(tree);
  if (success) return data;
  throw new UsageError(
    error.issues.map(({ path, message }) => `${path.join('.')} is refused: ${message}.`).join('\n'),
  );
}
