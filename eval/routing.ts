import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { routeByRules } from '../src/llm/offline/route.ts';

const rowSchema = z.strictObject({
  message: z.string(),
  requires_retrieval: z.boolean(),
  language: z.string(),
  kind: z.string(),
});
type Row = z.infer<typeof rowSchema>;

export interface RoutingResult extends Row {
  predicted: boolean;
}

export interface RoutingEval {
  rows: RoutingResult[];
  /** Of `requires_retrieval: true`. */
  precision: number;
  recall: number;
}

/** How well the offline rules tell messages that call for retrieval from those that do not; prints the figures. */
export function runRoutingEval(): RoutingEval {
  const path = fileURLToPath(new URL('./data/routing.jsonl', import.meta.url));
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => rowSchema.parse(JSON.parse(line)))
    .map((row) => ({ ...row, predicted: predict(row.message) }));
  const hits = rows.filter((row) => row.predicted && row.requires_retrieval).length;
  const precision = hits / rows.filter((row) => row.predicted).length;
  const recall = hits / rows.filter((row) => row.requires_retrieval).length;
  for (const row of rows.filter((row) => row.predicted !== row.requires_retrieval)) {
    console.log(`${row.predicted ? 'retrieves for nothing' : 'misses'} (${row.language}): ${row.message}`);
  }
  const languages = new Set(rows.map((row) => row.language)).size;
  console.log(
    `${rows.length} messages, ${languages} languages: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
  );
  return { rows, precision, recall };
}

function predict(message: string): boolean {
  return routeByRules({
    task: 'route',
    message,
    activeMode: 'discovery',
    activeProbe: null,
    completedProbes: [],
    probes: [],
    patterns: [],
    filenames: [],
  }).requires_retrieval;
}
