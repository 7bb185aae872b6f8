import { setImmediate } from 'node:timers/promises';
import type { DocumentFormat } from '../src/documents/formats/registry.ts';
import { buildOutline } from '../src/documents/outline/outline.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { makeMarkdown, makeYaml } from './outline-documents.ts';
import { percentilesOf } from './percentiles.ts';

const WARM_UP = 20;
const WARM_UP_OF_LARGE = 5;
const RUNS = 100;
const RUNS_OF_LARGE = 12;

interface Sample {
  name: string;
  format: DocumentFormat;
  text: string;
  /** Most milliseconds of the 95th percentile. */
  required?: number;
  goal?: number;
}

export interface OutlineBench {
  rows: OutlineBenchRow[];
  growth: OutlineBenchRow[];
}

interface OutlineBenchRow {
  name: string;
  characters: number;
  nodes: number;
  p50: number;
  p95: number;
  required: number | null;
  goal: number | null;
}

async function measure({ name, format, text, required, goal }: Sample): Promise<OutlineBenchRow> {
  const build = () => buildOutline(parseDocument({ text, format }), []);
  const isLarge = text.length > 1_500_000;
  for (let i = 0; i < (isLarge ? WARM_UP_OF_LARGE : WARM_UP); i++) build();
  const nodes = build().nodes.length;
  const times: number[] = [];
  while (times.length < (isLarge ? RUNS_OF_LARGE : RUNS)) {
    // each in a turn of the event loop of its own, as documents come
    await setImmediate();
    const start = performance.now();
    build();
    times.push(performance.now() - start);
  }
  const { p50, p95 } = percentilesOf(times);
  return { name, characters: text.length, nodes, p50, p95, required: required ?? null, goal: goal ?? null };
}

const line = ({ name, characters, nodes, p50, p95, required, goal }: OutlineBenchRow): string =>
  `${name.padEnd(20)} ${characters.toLocaleString('en').padStart(11)} characters  ${nodes.toLocaleString('en').padStart(6)} nodes  ` +
  `p50 ${p50.toFixed(1).padStart(7)} ms  p95 ${p95.toFixed(1).padStart(7)} ms` +
  (required === null
    ? ''
    : `  required ${required} ms${p95 > required ? ': missed' : ''}, goal ${goal} ms${p95 > (goal ?? 0) ? ': missed' : ''}`);

async function measureAll(): Promise<OutlineBench> {
  const samples: Sample[] = [
    { name: 'Markdown, 1 MB', format: 'markdown', text: makeMarkdown(1_000_000), required: 150, goal: 30 },
    { name: 'YAML, 500 KB', format: 'yaml', text: makeYaml(500_000), required: 250, goal: 60 },
    { name: 'YAML, 2.9 MB', format: 'yaml', text: makeYaml(2_900_000) },
    { name: 'Markdown, 5 MB', format: 'markdown', text: makeMarkdown(5_000_000) },
  ];
  const rows: OutlineBenchRow[] = [];
  for (const sample of samples) {
    const row = await measure(sample);
    rows.push(row);
    console.log(line(row));
  }
  console.log('growth');
  const growth: OutlineBenchRow[] = [];
  for (const format of ['markdown', 'yaml'] as const) {
    for (const times of [1, 10, 100]) {
      const text = (format === 'markdown' ? makeMarkdown : makeYaml)(40_000 * times);
      const name = `${format === 'markdown' ? 'Markdown' : 'YAML'} x ${times}`;
      const row = await measure({ name, format, text });
      growth.push(row);
      const each = ((1_000 * row.p50) / (row.characters / 1_000)).toFixed(0);
      console.log(`${line(row)}  ${each} µs for 1,000 characters`);
    }
  }
  return { rows, growth };
}

// started by outline.ts; it ends when the figures are sent
process.send?.(await measureAll());
