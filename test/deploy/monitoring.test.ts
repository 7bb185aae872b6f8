import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDashboard } from '../../scripts/dashboard.ts';
import { ERROR_CODES } from '../../src/errors.ts';

// The dashboard and the rules against the table of metrics; test/telemetry/ holds the table against the service.

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ alert: z.string().optional(), record: z.string().optional(), expr: z.string() }),
      ),
    }),
  ),
});
const rules = rulesSchema
  .parse(parse(await readFile('deploy/prometheus/rules.yml', 'utf8')))
  .groups.flatMap((group) => group.rules);
const queries = [...(await readDashboard()), ...rules.map(({ expr }) => expr)];
const operations = await readFile('docs/operations.md', 'utf8');

/** What the table of the metrics says of each: its type and its labels. */
const metrics = new Map(
  [...operations.matchAll(/^\| `(forge_\w+)` \| (\w+) \| ([\w, ]*) \|/gm)].map(
    ([, name = '', type, labels = '']) => [name, { type, labels: labels.split(', ').filter(Boolean) }],
  ),
);
const SCRAPED = ['job', 'instance', 'le'];

/** The metric that a series is of: histograms have several series. */
function metricOf(series: string) {
  const of = series.replace(/_(bucket|count|sum)$/, '');
  return metrics.get(series) ?? (metrics.get(of)?.type === 'histogram' ? metrics.get(of) : undefined);
}

it('asks for nothing but metrics that the table describes, and recorded rules', () => {
  const recorded = rules.map(({ record }) => record);
  for (const query of queries) {
    for (const [series] of query.matchAll(/\bforge[\w:]+/g)) {
      if (series === 'forge' || recorded.includes(series)) continue;
      expect(metricOf(series), `${series} in ${query}`).toBeDefined();
    }
  }
});

it('asks for nothing but labels that they have, and problems that there are', () => {
  for (const query of queries) {
    for (const [, series = '', selectors = ''] of query.matchAll(/\b(forge_\w+)\{(.*?)\}/g)) {
      for (const [, label = '', value = ''] of selectors.matchAll(/(\w+)[=!~]+"(.*?)"/g)) {
        expect([...(metricOf(series)?.labels ?? []), ...SCRAPED], query).toContain(label);
        if (label !== 'code') continue;
        for (const code of value.split('|')) expect(Object.keys(ERROR_CODES), query).toContain(code);
      }
    }
  }
});

it('has an entry in docs/operations.md for each alert, and no other', () => {
  const described = [...operations.matchAll(/^\| `(Forge\w+)` \|/gm)].map(([, alert]) => alert);
  expect(described).toEqual(rules.flatMap(({ alert = [] }) => alert));
});
