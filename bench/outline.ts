import type { DocumentFormat } from '../src/documents/document.ts';
import { buildOutline } from '../src/documents/outline/outline.ts';
import { makeMarkdown, makeYaml } from './outline-documents.ts';
import { percentilesOf } from './percentiles.ts';

const WARM_UP = 5;
const RUNS = 60;
const RUNS_OF_LARGE = 12;

interface Sample {
  name: string;
  format: DocumentFormat;
  text: string;
  /** Most milliseconds of the 95th percentile. */
  required?: number;
  goal?: number;
}

export interface OutlineBenchRow {
  name: string;
  characters: number;
  nodes: number;
  p50: number;
  p95: number;
  required: number | null;
  goal: number | null;
}

function measure({ name, format, text, required, goal }: Sample): OutlineBenchRow {
  const build = () => buildOutline({ text, format, chunks: [] });
  for (let i = 0; i < WARM_UP; i++) build();
  const nodes = build().nodes.length;
  const times = Array.from({ length: text.length > 1_500_000 ? RUNS_OF_LARGE : RUNS }, () => {
    const start = performance.now();
    build();
    return performance.now() - start;
  });
  const { p50, p95 } = percentilesOf(times);
  return { name, characters: text.length, nodes, p50, p95, required: required ?? null, goal: goal ?? null };
}

const line = ({ name, characters, nodes, p50, p95, required, goal }: OutlineBenchRow): string =>
  `${name.padEnd(20)} ${characters.toLocaleString('en').padStart(11)} characters  ${nodes.toLocaleString('en').padStart(6)} nodes  ` +
  `p50 ${p50.toFixed(1).padStart(7)} ms  p95 ${p95.toFixed(1).padStart(7)} ms` +
  (required === null
    ? ''
    : `  required ${required} ms${p95 > required ? ': missed' : ''}, goal ${goal} ms${p95 > (goal ?? 0) ? ': missed' : ''}`);

/**
 * How long it takes to build an outline, and how that grows: for 1 MB of Markdown and 500 KB of YAML beside what is
 * required and the goal, for larger files and for one, ten and a hundred times the size.
 */
export async function runOutlineBench(): Promise<{ rows: OutlineBenchRow[]; growth: OutlineBenchRow[] }> {
  const samples: Sample[] = [
    { name: 'Markdown, 1 MB', format: 'markdown', text: makeMarkdown(1_000_000), required: 150, goal: 30 },
    { name: 'YAML, 500 KB', format: 'yaml', text: makeYaml(500_000), required: 250, goal: 60 },
    { name: 'YAML, 2.9 MB', format: 'yaml', text: makeYaml(2_900_000) },
    { name: 'Markdown, 5 MB', format: 'markdown', text: makeMarkdown(5_000_000) },
  ];
  const rows = samples.map(measure);
  for (const row of rows) console.log(line(row));
  const growth = (['markdown', 'yaml'] as const).flatMap((format) =>
    [1, 10, 100].map((times) => {
      const text = (format === 'markdown' ? makeMarkdown : makeYaml)(40_000 * times);
      return measure({ name: `${format === 'markdown' ? 'Markdown' : 'YAML'} x ${times}`, format, text });
    }),
  );
  console.log('growth');
  for (const row of growth) {
    console.log(
      `${line(row)}  ${((1_000 * row.p50) / (row.characters / 1_000)).toFixed(0)} µs for 1,000 characters`,
    );
  }
  if (rows.some(({ p95, required }) => required !== null && p95 > required)) process.exitCode = 1;
  return { rows, growth };
}
