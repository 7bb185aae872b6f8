import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../src/package-root.ts';
import { comparePaired } from './bootstrap.ts';
import type { RetrievalRow } from './retrieval-table.ts';
import { UsageError } from './usage-error.ts';

// Results that are kept in the repository: `npm run eval -- --keep NAME` writes docs/results/NAME.json and the table of all of
// them; `npm run eval -- --compare NAME NAME` tells whether two differ by more than chance.

const FOLDER = join(packageRoot, 'docs', 'results');
const NAME = /^[a-z0-9][a-z0-9.-]{0,79}$/;
const MODES = ['semantic', 'lexical', 'hybrid', 'reranked', 'contextual'] as const;
type Mode = (typeof MODES)[number];
/** What a search answers with, as far as it was measured: without an encoder, words are all there is. */
const ANSWERED: readonly Mode[] = ['reranked', 'hybrid', 'lexical'];
/** What the table of all results shows. */
const SHOWN = [
  ['anthropic-docs-qa', 'MRR@3'],
  ['anthropic-docs-qa', 'recall@3'],
  ['anthropic-docs-qa', 'recall@10'],
  ['chunking-eval', 'recall'],
  ['contextual-embeddings', 'pass@10'],
  ['scifact', 'nDCG@10'],
  ['locomo', 'recall@10'],
] as const;

const scores = z.array(z.number()).optional();
const keptSchema = z.object({
  at: z.string(),
  commit: z.string(),
  embedding_model: z.string(),
  reranker: z.string().nullable(),
  contexts: z.string().nullable().optional(),
  machine: z.object({ node: z.string(), cpus: z.number(), cpu: z.string() }),
  settings: z.unknown(),
  figures: z.array(
    z.object({
      set: z.string(),
      figure: z.string(),
      questions: z.int(),
      semantic: z.number().nullable(),
      lexical: z.number().nullable(),
      hybrid: z.number().nullable(),
      reranked: z.number().nullable().optional(),
      contextual: z.number().nullable().optional(),
      interval: z.object({ low: z.number(), high: z.number() }).nullable(),
      scores: z.object({
        semantic: scores,
        lexical: scores,
        hybrid: scores,
        reranked: scores,
        contextual: scores,
      }),
    }),
  ),
});

/** A run of the evaluation: what was measured, with what. */
type KeptResult = z.output<typeof keptSchema>;

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'eval') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Keeps what was measured, and writes the table of all that is kept. */
export function keepResult(
  name: string,
  rows: readonly RetrievalRow[],
  run: { embeddingModel: string; reranker: string | null; contexts: string | null; settings: unknown },
): void {
  const kept: KeptResult = {
    at: new Date().toISOString().slice(0, 10),
    commit: commit(),
    embedding_model: run.embeddingModel,
    reranker: run.reranker,
    ...(run.contexts !== null && { contexts: run.contexts }),
    machine: { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' },
    settings: run.settings,
    figures: rows.map(
      ({ set, name: figure, semantic, lexical, hybrid, reranked, contextual, interval, scores: all }) => ({
        ...{
          set,
          figure,
          questions: (all.hybrid ?? all.lexical)?.length ?? 0,
          semantic,
          lexical,
          hybrid,
          interval,
        },
        ...(reranked !== undefined && { reranked }),
        ...(contextual !== undefined && { contextual }),
        scores: Object.fromEntries(MODES.map((mode) => [mode, all[mode]?.map(rounded)])),
      }),
    ),
  };
  mkdirSync(FOLDER, { recursive: true });
  const text = JSON.stringify(kept, null, 1).replace(/\[[\d\s.,-]*\]/g, (list) => list.replace(/\s+/g, ''));
  writeFileSync(join(FOLDER, `${name}.json`), `${text}\n`);
  writeFileSync(join(FOLDER, 'README.md'), overview());
}

/** @throws UsageError for a name that a file cannot have */
export function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(`"${name}" is no name of a result: small letters, digits, "." and "-".`);
}

function readKept(name: string): KeptResult {
  const path = join(FOLDER, `${checkedName(name)}.json`);
  if (existsSync(path)) return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  throw new UsageError(`There is no result ${name}. There are: ${namesKept().join(', ')}.`);
}

const namesKept = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));

function overview(): string {
  const results = namesKept()
    .map((name) => ({ name, ...readKept(name) }))
    .sort((a, b) => a.at.localeCompare(b.at) || a.name.localeCompare(b.name));
  const figureOf = (result: KeptResult, [set, figure]: (typeof SHOWN)[number]): string => {
    const found = result.figures.find((row) => row.set === set && row.figure === figure);
    const value = found?.reranked ?? found?.hybrid ?? found?.lexical;
    return value === null || value === undefined ? '–' : value.toFixed(3);
  };
  const lines = results.map((result) =>
    [
      `[${result.name}](${result.name}.json)`,
      result.at,
      result.commit,
      result.embedding_model,
      result.reranker ?? 'none',
      ...SHOWN.map((shown) => figureOf(result, shown)),
    ].join(' | '),
  );
  return `# Results of the evaluation over time

What a search answers with, over the half of each set that is open: hybrid, reranked where there is a reranker, words where there
is no encoder. Each file has every figure of every
mode, its 95 % interval, what each question scored, the settings and the machine. \`npm run eval -- --keep NAME\` adds one,
\`npm run eval -- --compare NAME NAME [MODE]\` tells whether two differ by more than chance.

| result | date | commit | embedding model | reranker | ${SHOWN.map(([set, figure]) => `${set} ${figure}`).join(' | ')} |
| --- | --- | --- | --- | --- | ${SHOWN.map(() => '---').join(' | ')} |
${lines.map((line) => `| ${line} |`).join('\n')}
`;
}

/**
 * Two results side by side: of each figure that both have, the difference with its 95 % interval and whether it is more than chance.
 *
 * @param mode one way to search, of both; left out: what each answers with
 * @throws UsageError for a result or a mode that is not there
 */
export function formatComparison(before: string, after: string, mode?: string): string {
  const modes = mode === undefined ? ANSWERED : MODES.filter((known) => known === mode);
  if (modes.length === 0) throw new UsageError(`There is no mode "${mode}". There are: ${MODES.join(', ')}.`);
  const scoresOf = (all: Partial<Record<Mode, number[] | undefined>> | undefined) =>
    modes.map((each) => all?.[each]).find((each) => each !== undefined);
  const [one, other] = [readKept(before), readKept(after)];
  const lines = other.figures.flatMap(({ set, figure, scores: of }) => {
    const known = one.figures.find((row) => row.set === set && row.figure === figure)?.scores;
    const [a, b] = [scoresOf(known), scoresOf(of)];
    if (!a || !b || a.length !== b.length) return [];
    const { difference, interval, p, better, worse } = comparePaired(a, b);
    const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
    const verdict =
      p < 0.05 ? (difference > 0 ? 'better' : 'WORSE') : 'no difference that is more than chance';
    return [
      `${set.padEnd(22)}${figure.padEnd(11)}${signed(difference).padStart(8)}  ${signed(interval.low)} to ${signed(interval.high)}  p ${p.toFixed(3)}  ${String(better).padStart(4)} better ${String(worse).padStart(4)} worse of ${b.length}  ${verdict}`,
    ];
  });
  return [`${after} against ${before}${mode === undefined ? '' : `, ${mode}`}`, ...lines].join('\n');
}
