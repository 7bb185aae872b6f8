import mammoth from 'mammoth';
import { element } from './dom.ts';
import { partXml, relationshipsXml, storeZip } from './write-package.ts';
import type { XmlNode } from './xml.ts';

/** A document after rewriting: only paragraphs, runs, links, notes and tables, in the styles that are mapped below. */
export interface Rewritten {
  body: XmlNode[];
  links: ReadonlyMap<string, string>;
  notes: Record<'footnote' | 'endnote', { content: XmlNode[]; links: ReadonlyMap<string, string> }>;
}

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const STYLE_MAP = [
  ...[1, 2, 3, 4, 5, 6].map((level) => `p.h${level} => h${level}:fresh`),
  'p.code => pre:fresh',
  'p.quote => blockquote > p:fresh',
  'r.code => code',
  'r.raw => span.raw:fresh',
  'r.image => span.image:fresh',
  'r.label => span.label:fresh',
  ...LEVELS.flatMap((level) => {
    const outer = 'ul|ol > li > '.repeat(level - 1);
    return [
      `p:unordered-list(${level}) => ${outer}ul > li:fresh`,
      `p:ordered-list(${level}) => ${outer}ol > li:fresh`,
    ];
  }),
];

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
  const result = await mammoth.convertToHtml(
    {
      buffer: storeZip({
        'word/document.xml': partXml('w:document', [element('w:body', {}, document.body)]),
        'word/_rels/document.xml.rels': relationshipsXml(document.links),
        'word/footnotes.xml': partXml('w:footnotes', footnote.content),
        'word/_rels/footnotes.xml.rels': relationshipsXml(footnote.links),
        'word/endnotes.xml': partXml('w:endnotes', endnote.content),
        'word/_rels/endnotes.xml.rels': relationshipsXml(endnote.links),
        'word/numbering.xml': numberingXml(),
      }),
    },
    { styleMap: STYLE_MAP, includeDefaultStyleMap: false, includeEmbeddedStyleMap: false },
  );
  return result.value;
}
