import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentFormat } from '../src/documents/formats/registry.ts';
import { buildOutline, type Outline, type OutlineNode } from '../src/documents/outline/outline.ts';
import { oneLine } from '../src/text/one-line.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { runOutlineRobustness } from './outline-robustness.ts';
import { type OutlineRow, outlineRow } from './outline-row.ts';
import { evalDir, readGzip, readRows } from './retrieval-data.ts';

interface Heading {
  level: number;
  text: string;
}

interface CommonMarkCase {
  id: string;
  markdown: string;
  html: string;
  headings: Heading[];
}

interface LargeFile {
  file: string;
  format: string;
  outline?: string;
  top?: string[] | string[][];
  depth2?: Record<string, number> | Record<string, number>[];
}

const outlineOf = (text: string, format: DocumentFormat): Outline =>
  buildOutline(parseDocument({ text, format }), []);
const headingsOf = ({ nodes }: Outline): Heading[] => nodes.map(({ level, text }) => ({ level, text }));
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const childrenOf = (nodes: readonly OutlineNode[], parent: OutlineNode | null): OutlineNode[] =>
  nodes.filter(({ parentId }) => parentId === (parent?.id ?? null));

/** Headings that stand in a quotation or a list have no node, by choice: what the html shows outside of these. */
function topHeadings({ html, headings }: CommonMarkCase): Heading[] {
  let outside = html;
  let before = '';
  while (outside !== before) {
    before = outside;
    outside = outside.replace(
      /<(blockquote|ul|ol)\b[^>]*>(?:(?!<\/?(?:blockquote|ul|ol)\b)[\s\S])*<\/\1>/g,
      '',
    );
  }
  const top = [...outside.matchAll(/<h([1-6])>/g)].map((match) => Number(match[1]));
  return top.length === headings.length
    ? headings
    : headings.filter(({ level }) => top.includes(level)).slice(0, top.length);
}

function commonMarkRows(): OutlineRow[] {
  const cases = readRows<CommonMarkCase>('outline', 'dev.jsonl');
  const nested = cases.filter((one) => topHeadings(one).length < one.headings.length);
  const rate = (figure: string, some: readonly CommonMarkCase[], note: string): OutlineRow => {
    const wrong = some.filter(
      (one) => !same(headingsOf(outlineOf(one.markdown, 'markdown')), topHeadings(one)),
    );
    return outlineRow(
      figure,
      some.length,
      note,
      wrong.map(({ id, markdown }) => `${id} ${JSON.stringify(markdown)}`),
    );
  };
  const plain = cases.filter((one) => !nested.includes(one));
  const withHeadings = plain.filter(({ headings }) => headings.length > 0).length;
  return [
    rate('CommonMark cases', plain, `${withHeadings} with headings`),
    rate('headings in quotations and lists only', nested, 'no node, by choice'),
  ];
}

function goldRow({ file, outline = '' }: LargeFile): OutlineRow {
  const gold = readRows<Heading>('outline', outline).map(({ level, text }) => ({
    level,
    text: oneLine(text, 200),
  }));
  const found = headingsOf(outlineOf(readGzip('outline', file), 'markdown'));
  const wrong = gold.flatMap((heading, i) =>
    same(heading, found[i]) ? [] : [`${JSON.stringify(heading)}, found ${JSON.stringify(found[i])}`],
  );
  if (found.length > gold.length) wrong.push(`${found.length - gold.length} more headings than there are`);
  return outlineRow(file, gold.length, 'headings', wrong);
}

/** Keys on top of each document, and how many members and elements each of them has. */
function countsRow({ file, format, top = [], depth2 = {} }: LargeFile): OutlineRow {
  const { nodes } = outlineOf(readGzip('outline', file), format === 'json' ? 'json' : 'yaml');
  const tops = (typeof top[0] === 'string' ? [top] : top) as string[][];
  const counts = Array.isArray(depth2) ? depth2 : [depth2];
  const roots = childrenOf(nodes, null);
  const wrong = tops.flatMap((keys, i) => {
    const found = tops.length > 1 ? childrenOf(nodes, roots[i] ?? null) : roots;
    const names = found.map(({ text }) => text);
    const differing = found.filter(
      (node) =>
        (counts[i]?.[node.text] ?? 0) !== childrenOf(nodes, node).length &&
        counts[i]?.[node.text] !== undefined,
    );
    return [
      ...(same(names, keys) ? [] : [`keys ${names} instead of ${keys}`]),
      ...differing.map(
        (node) => `${node.text}: ${childrenOf(nodes, node).length} instead of ${counts[i]?.[node.text]}`,
      ),
    ];
  });
  return outlineRow(file, tops.flat().length, `${tops.length} documents, ${nodes.length} nodes`, wrong);
}

/** The same content as JSON and as YAML. */
function twinRow(json: string, yaml: string): OutlineRow {
  const seen = (file: string, format: DocumentFormat) => {
    const { nodes } = outlineOf(readGzip('outline', file), format);
    const places = new Map(nodes.map(({ id }, i) => [id, i]));
    return nodes.map(({ level, text, blurb, parentId }) => [
      level,
      text,
      blurb,
      places.get(parentId ?? '') ?? -1,
    ]);
  };
  const [a, b] = [seen(json, 'json'), seen(yaml, 'yaml')];
  const wrong = a.flatMap((node, i) =>
    same(node, b[i]) ? [] : [`${JSON.stringify(node)}, as YAML ${JSON.stringify(b[i])}`],
  );
  if (b.length > a.length) wrong.push(`${b.length - a.length} more nodes as YAML`);
  return outlineRow('twilio_api_v2010: JSON = YAML', a.length, 'nodes', wrong);
}

/** Outlines beside what is known of them; null when the data is not there. */
export function runOutlineEval(): OutlineRow[] | null {
  if (!existsSync(join(evalDir(), 'outline', 'dev.jsonl'))) return null;
  const files = readRows<LargeFile>('outline', 'docs.jsonl');
  return [
    ...commonMarkRows(),
    ...files.filter(({ outline }) => outline).map(goldRow),
    ...files.filter(({ outline }) => !outline).map(countsRow),
    twinRow('docs/twilio_api_v2010.json.gz', 'docs/twilio_api_v2010.yaml.gz'),
    ...runOutlineRobustness(),
  ];
}

export const formatOutlineEval = (rows: readonly OutlineRow[]): string =>
  rows
    .map(
      ({ figure, right, of, note, wrong }) =>
        `${figure.padEnd(46)} ${String(right).padStart(6)} of ${String(of).padStart(6)}  ${note}` +
        wrong.map((line) => `\n    ${line.slice(0, 300)}`).join(''),
    )
    .join('\n');
