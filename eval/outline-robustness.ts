import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlias, isMap, isScalar, parseAllDocuments } from 'yaml';
import type { DocumentFormat } from '../src/documents/formats/registry.ts';
import { shownText } from '../src/documents/formats/structured/describe.ts';
import { buildOutline, type Outline } from '../src/documents/outline/outline.ts';
import { outlineFaults } from '../test/helpers/outline-faults.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { type OutlineRow, outlineRow } from './outline-row.ts';
import { evalDir, readRows } from './retrieval-data.ts';

interface Case {
  id: string;
  expect: 'accept' | 'reject' | 'either';
  text?: string;
  base64?: string;
  yaml?: string;
}

/** The outline, or what it threw or got wrong whatever the text. */
function tried(text: string, format: DocumentFormat): { outline?: Outline; fault?: string } {
  try {
    const outline = buildOutline(parseDocument({ text, format }), []);
    const [fault] = outlineFaults(text, outline);
    return fault === undefined ? { outline } : { fault };
  } catch (error) {
    return { fault: String(error) };
  }
}

const childrenOf = ({ nodes }: Outline, parentId: string | null): string[] =>
  nodes.flatMap((node) => (node.parentId === parentId ? [node.text] : []));

/** The keys of each document by the `yaml` package; null for what is not valid mappings of scalar keys. */
function keysOf(text: string): string[][] | null {
  const documents = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false });
  if ('empty' in documents || documents.some(({ errors }) => errors.length > 0)) return null;
  const keys = documents.flatMap((document): (string[] | null)[] => {
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.source === '')) return [];
    if (!isMap(contents) || contents.items.length === 0) return [null];
    const names = contents.items.map(({ key }) => {
      const scalar = isAlias(key) ? key.resolve(document) : key;
      if (scalar === null || (isScalar(scalar) && scalar.value === null)) return '';
      return isScalar(scalar) ? (scalar.source ?? String(scalar.value)) : null;
    });
    return [names.every((name) => name !== null) ? names.map((name) => shownText(name)) : null];
  });
  return keys.length > 0 && keys.every((one) => one !== null) ? keys : null;
}

/** The same of an outline: of several documents each is a node above its keys. */
function outlineKeys(outline: Outline, documents: number): string[][] {
  if (documents === 1) return [childrenOf(outline, null)];
  return outline.nodes.flatMap(({ id, parentId }) => (parentId === null ? [childrenOf(outline, id)] : []));
}

function yamlRows(): OutlineRow[] {
  const cases = readRows<Case>('robustness', 'yaml.dev.jsonl');
  const results = cases.map((one) => ({ ...one, ...tried(one.yaml ?? '', 'yaml') }));
  const compared = results.flatMap((one) => {
    const keys = one.expect === 'accept' ? keysOf(one.yaml ?? '') : null;
    return keys ? [{ ...one, keys }] : [];
  });
  const wrong = compared.flatMap(({ id, outline, keys }) => {
    const found = outline ? outlineKeys(outline, keys.length) : [];
    return JSON.stringify(found) === JSON.stringify(keys)
      ? []
      : [`${id}: ${JSON.stringify(found)} instead of ${JSON.stringify(keys)}`];
  });
  const others = cases.filter(({ expect }) => expect === 'accept').length - compared.length;
  return [
    thrown('robustness: YAML', results),
    outlineRow(
      'robustness: keys of valid YAML',
      compared.length,
      `as the yaml package has them; ${others} others without plain keys on top`,
      wrong,
    ),
  ];
}

function jsonRows(): OutlineRow[] {
  const results = readRows<Case>('robustness', 'json.dev.jsonl').map((one) => {
    const text = one.text ?? Buffer.from(one.base64 ?? '', 'base64').toString('utf8');
    return { ...one, source: text, ...tried(text, 'json') };
  });
  const compared = results.flatMap((one) => {
    if (one.expect !== 'accept') return [];
    const value: unknown = JSON.parse(one.source);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return [{ ...one, keys: Object.keys(value).map((key) => shownText(key)) }];
  });
  const differing = compared.filter(
    ({ outline, keys }) => !outline || [...new Set(childrenOf(outline, null))].join('\n') !== keys.join('\n'),
  );
  return [
    thrown('robustness: JSON', results),
    outlineRow(
      'robustness: keys of valid JSON',
      compared.length,
      'as JSON.parse has them',
      differing.map(
        ({ id, outline, keys }) => `${id}: ${outline && childrenOf(outline, null)} instead of ${keys}`,
      ),
    ),
  ];
}

function stringRow(): OutlineRow {
  const path = join(evalDir(), 'robustness', 'naughty-strings.json');
  const strings = JSON.parse(readFileSync(path, 'utf8')) as string[];
  const texts = (value: string): [string, DocumentFormat][] => [
    [value, 'text'],
    [value, 'yaml'],
    [value, 'json'],
    [`# ${value}\n\n${value}\n`, 'markdown'],
    [JSON.stringify({ [value]: value, list: [{ name: value }] }), 'json'],
    [`${value}: ${value}\nnext: [${value}]\n`, 'yaml'],
  ];
  const results = strings.flatMap((value) =>
    texts(value).map(([text, format]) => ({ id: JSON.stringify(value), ...tried(text, format) })),
  );
  return thrown('robustness: strings', results);
}

const thrown = (figure: string, results: readonly { id: string; fault?: string }[]): OutlineRow =>
  outlineRow(
    figure,
    results.length,
    'without a fault',
    results.flatMap(({ id, fault }) => (fault === undefined ? [] : [`${id}: ${fault}`])),
  );

/** Outlines of hostile and of broken texts; none when the data is not there. */
export function runOutlineRobustness(): OutlineRow[] {
  if (!existsSync(join(evalDir(), 'robustness', 'yaml.dev.jsonl'))) return [];
  return [...jsonRows(), ...yamlRows(), stringRow()];
}
