import { FURNITURE_LABELS } from '../../to-markdown/furniture-labels.ts';
import { countLetters } from '../../to-markdown/letters.ts';
import { child, childValue, descendants, elements, findAll, ownText, toggle } from '../package/dom.ts';
import type { DocxPackage, DocxPart } from '../package/package.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { PAGE_NUMBER } from './fields.ts';
import { run } from './line.ts';
import { withoutPageNumbers } from './page-numbers.ts';
import { paragraphElement } from './paragraph-element.ts';

type Place = keyof typeof FURNITURE_LABELS;

/** More letters of headers, or of footers, than this are no help to a reader: a letterhead has some 300. */
const MOST_LETTERS = 1_000;

/** The headers or the footers of a document. */
export interface Furniture {
  /** A paragraph, or nothing. */
  content: XmlNode[];
  /** Its letters and digits, without those of its label. */
  letters: number;
  /** How many lines were too many. */
  left: number;
}

/** Whether odd and even pages differ. */
async function evenDiffers(docx: DocxPackage): Promise<boolean> {
  return toggle((await docx.related('settings'))?.root, 'w:evenAndOddHeaders') === true;
}

/**
 * The headers or footers that are printed, in the order of the sections, each part once. A section without one of its own
 * has that of the section before. Those of first and of even pages are only printed where the document says that these differ.
 */
async function printedParts(docx: DocxPackage, place: Place): Promise<DocxPart[]> {
  const even = await evenDiffers(docx);
  const names = new Set<string>();
  const current = new Map<string, string>();
  for (const section of findAll(docx.main.root, 'w:sectPr')) {
    for (const { name, attributes } of elements(section)) {
      const target = docx.main.relationships.get(attributes.get('r:id') ?? '');
      if (name === `w:${place}Reference` && target !== undefined && !target.external)
        current.set(attributes.get('w:type') ?? 'default', target.target);
    }
    const printed = { first: toggle(section, 'w:titlePg') === true, default: true, even };
    for (const [type, isPrinted] of Object.entries(printed)) {
      const name = isPrinted ? current.get(type) : undefined;
      if (name !== undefined) names.add(name);
    }
  }
  const parts = await Promise.all([...names].map((name) => docx.part(name)));
  return parts.filter((part) => part !== undefined);
}

/** The text of rewritten content, without pictures and labels of lists. */
function textOf(node: XmlElement): string {
  let text = '';
  for (const part of descendants(node)) {
    if (part.name === 'w:br') text += ' ';
    if (part.name !== 'w:r') continue;
    const kind = childValue(child(part, 'w:rPr'), 'w:rStyle');
    if (kind === 'image' || kind === 'label') continue;
    for (const one of elements(part)) if (one.name === 'w:t') text += ownText(one);
  }
  return text;
}

/** The texts of a rewritten part: what stands between paragraphs, cells and tabs, without the numbers of pages, typed ones too. */
function textsOf(content: readonly XmlNode[]): string[] {
  return content
    .flatMap((node) => (typeof node === 'string' ? [] : findAll(node, 'w:p')))
    .flatMap((paragraph) => textOf(paragraph).split('\t'))
    .map((text) => withoutPageNumbers(text, PAGE_NUMBER).replace(/\s+/g, ' ').trim())
    .filter((text) => countLetters(text) > 0 && !/^[^\p{L}\p{N}]*\p{N}{1,5}[^\p{L}\p{N}]*$/u.test(text));
}

/** Takes out the controls that nobody has filled in: what they show is a prompt. */
function dropPrompts(root: XmlElement): void {
  root.children = root.children.filter(
    (node) =>
      typeof node === 'string' ||
      node.name !== 'w:sdt' ||
      toggle(child(node, 'w:sdtPr'), 'w:showingPlcHdr') !== true,
  );
  for (const node of elements(root)) dropPrompts(node);
}

/**
 * Reads the headers or the footers of a document: each text once, in one paragraph that says what it is.
 *
 * @param rewrite a part as the rewritten document has it, with `PAGE_NUMBER` for each number of a page
 */
export async function readFurniture(
  docx: DocxPackage,
  place: Place,
  rewrite: (part: DocxPart) => XmlNode[],
): Promise<Furniture> {
  const texts = new Set<string>();
  for (const part of await printedParts(docx, place)) {
    dropPrompts(part.root);
    for (const text of textsOf(rewrite(part))) texts.add(text);
  }
  const kept: string[] = [];
  let letters = 0;
  for (const text of texts) {
    const own = countLetters(text);
    if (letters + own > MOST_LETTERS) continue;
    letters += own;
    kept.push(text);
  }
  const content =
    kept.length === 0
      ? []
      : [paragraphElement(undefined, [run(`${FURNITURE_LABELS[place]}${kept.join(' · ')}`)])];
  return { content, letters, left: texts.size - kept.length };
}
