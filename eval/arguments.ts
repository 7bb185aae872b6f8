import { parseArgs } from 'node:util';
import { checkedName } from './kept-results.ts';
import { type EvalSettings, readSettings, withSettings } from './retrieval-settings.ts';
import { UsageError } from './usage-error.ts';

export interface EvalRequest {
  names: string[];
  /** Whether retrieval is to be measured with the reranker of the settings, too. */
  rerank: boolean;
  /** What contexts of leaves may cost for each set, in US dollars, if retrieval is to be measured with them, too; null: it is not. */
  contextsUsd: number | null;
  /** The name that the result of retrieval is kept under in the repository; null: it is not. */
  keep: string | null;
  /** What retrieval is to be measured with, one variant for each value of a swept setting; null: as it is. */
  tuned: { sweptKey: string | null; variants: EvalSettings[] } | null;
}

/** Sets are named in full, or by a part of the name that no other has. */
function resolveName(asked: string, names: readonly string[]): string {
  if (names.includes(asked)) return asked;
  const [found, ...others] = names.filter((name) => name.includes(asked));
  if (found !== undefined && others.length === 0) return found;
  throw new UsageError(`There is no set ${asked}. Sets: ${names.join(', ')}.`);
}

function readVariants(set: readonly string[], sweep: string | undefined, inForce: EvalSettings) {
  const changes = set.map((text) => {
    const [setting, ...more] = readSettings(text, inForce);
    if (!setting || more.length > 0)
      throw new UsageError(`--set takes one value; --sweep takes several: ${text}`);
    return setting;
  });
  if (sweep === undefined) {
    return { sweptKey: null, variants: [withSettings(inForce, changes)] };
  }
  const swept = readSettings(sweep, inForce);
  const variants = swept.map((setting) => withSettings(inForce, [...changes, setting]));
  return { sweptKey: swept[0]?.[0] ?? null, variants };
}

function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        set: { type: 'string', multiple: true },
        sweep: { type: 'string', multiple: true },
        rerank: { type: 'boolean' },
        contextual: { type: 'boolean' },
        'max-usd': { type: 'string' },
        keep: { type: 'string' },
      },
    });
    const { set = [], sweep = [], rerank = false, contextual = false, keep } = values;
    return { set, sweep, rerank, contextual, mostUsd: values['max-usd'], keep, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** What one set's contexts may cost where nothing is said. */
const MOST_USD = 1;

function readUsd(text: string | undefined): number {
  const usd = text === undefined ? MOST_USD : Number(text);
  if (Number.isFinite(usd) && usd >= 0) return usd;
  throw new UsageError(`--max-usd is a number of US dollars, not "${text}".`);
}

/**
 * Reads the command line: `[SET...] [--rerank] [--contextual [--max-usd n]] [--keep name] [--set key=value]... [--sweep key=value,value...]`.
 *
 * @param sets.all names of the sets; `sets.retrieval` those that settings of retrieval bear on
 * @throws UsageError for what is not there or out of range
 */
export function readArguments(
  args: string[],
  sets: { all: readonly string[]; retrieval: readonly string[] },
  inForce: EvalSettings,
): EvalRequest {
  const { set, sweep, rerank, contextual, mostUsd, keep: asKept, positionals } = parse(args);
  const contextsUsd = contextual ? readUsd(mostUsd) : null;
  if (mostUsd !== undefined && !contextual)
    throw new UsageError('--max-usd says what contexts may cost: give --contextual, too.');
  const keep = asKept === undefined ? null : checkedName(asKept);
  const asked = positionals.map((name) => resolveName(name, sets.all));
  const isTuned = set.length + sweep.length > 0;
  if (!isTuned && !rerank && contextsUsd === null && keep === null) {
    return { names: asked.length > 0 ? asked : [...sets.all], rerank, contextsUsd, keep, tuned: null };
  }
  if (keep !== null && isTuned)
    throw new UsageError('What is kept is what the service does: not with --set or --sweep.');
  if (sweep.length > 1) throw new UsageError('One setting is swept at a time: --sweep was given twice.');
  const other = asked.find((name) => !sets.retrieval.includes(name));
  if (other !== undefined) {
    throw new UsageError(
      `Settings of retrieval change nothing of ${other}. Sets: ${sets.retrieval.join(', ')}.`,
    );
  }
  return {
    names: asked.length > 0 ? asked : [...sets.retrieval],
    rerank,
    contextsUsd,
    keep,
    tuned: isTuned ? readVariants(set, sweep[0], inForce) : null,
  };
}
