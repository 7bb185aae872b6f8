import mammoth from 'mammoth';
import { element } from '../package/dom.ts';
import { partXml, relationshipsXml, storeZip } from '../package/write-package.ts';
import type { XmlNode } from '../package/xml.ts';

/** A document after rewriting: only paragraphs, runs, links, notes and tables, in the styles that are mapped below. */
export interface Rewritten {
  body: XmlNode[];
  links: ReadonlyMap<string, string>;
  notes: Record<'footnote' | 'endnote', { content: XmlNode[]; links: ReadonlyMap<string, string> }>;
}

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const isStyle = (name: string) => `w:val="${name}"`;
const isLevel = (level: number) => `<w:ilvl w:val="${level - 1}"`;

/** What marks paragraphs and runs in the rewritten XML, and what mammoth is to make of them. */
const STYLES: readonly (readonly [mark: string, rule: string])[] = [
  ...[1, 2, 3, 4, 5, 6].map((level) => [isStyle(`h${level}`), `p.h${level} => h${level}:fresh`] as const),
  [isStyle('code'), 'p.code => pre:fresh'],
  [isStyle('quote'), 'p.quote => blockquote > p:fresh'],
  [isStyle('code'), 'r.code => code'],
  ...['raw', 'image', 'label'].map((kind) => [isStyle(kind), `r.${kind} => span.${kind}:fresh`] as const),
  ...LEVELS.flatMap((level) => {
    const outer = 'ul|ol > li > '.repeat(level - 1);
    return [
      [isLevel(level), `p:unordered-list(${level}) => ${outer}ul > li:fresh`],
      [isLevel(level), `p:ordered-list(${level}) => ${outer}ol > li:fresh`],
      [isStyle(`continued${level}`), `p.continued${level} => ${outer}ul|ol > li > p:fresh`],
    ] as const;
  }),
];

/** The rules that a document needs: mammoth tries each on every paragraph and run. */
function rulesFor(parts: readonly string[]): string[] {
  return STYLES.filter(([mark]) => parts.some((part) => part.includes(mark))).map(([, rule]) => rule);
}

/** Two lists, which all lists of the rewritten document refer to: 1 has bullets, 2 has numbers. */
function numberingXml(): string {
  const lists = ['bullet', 'decimal'].map((format, index) =>
    element(
      'w:abstractNum',
      { 'w:abstractNumId': String(index + 1) },
      LEVELS.map((level) =>
        element('w:lvl', { 'w:ilvl': String(level - 1) }, [element('w:numFmt', { 'w:val': format })]),
      ),
    ),
  );
  const nums = ['1', '2'].map((id) =>
    element('w:num', { 'w:numId': id }, [element('w:abstractNumId', { 'w:val': id })]),
  );
  return partXml('w:numbering', [...lists, ...nums]);
}

/** Converts a rewritten document to HTML with mammoth. Nothing outside the given document is read. */
export async function toHtml(document: Rewritten): Promise<string> {
  const { footnote, endnote } = document.notes;
  const body = partXml('w:document', [element('w:body', {}, document.body)]);
  const footnotes = partXml('w:footnotes', footnote.content);
  const endnotes = partXml('w:endnotes', endnote.content);
  const result = await mammoth.convertToHtml(
    {
      buffer: storeZip({
        'word/document.xml': body,
        'word/_rels/document.xml.rels': relationshipsXml(document.links),
        'word/footnotes.xml': footnotes,
        'word/_rels/footnotes.xml.rels': relationshipsXml(footnote.links),
        'word/endnotes.xml': endnotes,
        'word/_rels/endnotes.xml.rels': relationshipsXml(endnote.links),
        'word/numbering.xml': numberingXml(),
      }),
    },
    {
      styleMap: rulesFor([body, footnotes, endnotes]),
      includeDefaultStyleMap: false,
      includeEmbeddedStyleMap: false,
    },
  );
  return result.value;
}
