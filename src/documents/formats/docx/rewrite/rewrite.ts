import { createTally, lose, type Tally } from '../../to-markdown/tally.ts';
import type { Rewritten } from '../markdown/html.ts';
import { child, childValue, element, elements } from '../package/dom.ts';
import type { DocxPackage, DocxPart } from '../package/package.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { rewriteBlocks } from './blocks.ts';
import { fontMarksCode } from './code-lines.ts';
import { demoteContentsTitles } from './contents-title.ts';
import type { Context, OutlineParagraph } from './context.ts';
import { readGraphics } from './graphics.ts';
import { quoteSetIn } from './indentation.ts';
import { createLinks } from './links.ts';
import { readNumbering } from './numbering.ts';
import { readFurniture } from './page-furniture.ts';
import { promotePseudoHeadings } from './pseudo-headings.ts';
import { simplify } from './simplify.ts';
import { countLinks, visibleLetters } from './source-counts.ts';
import { readStyles } from './styles.ts';

type NoteKind = 'footnote' | 'endnote';

/** The notes of a part by id; separators are no notes. */
function notesOf(part: DocxPart | undefined, kind: NoteKind): Map<string, XmlElement> {
  const notes = new Map<string, XmlElement>();
  for (const node of elements(part?.root)) {
    const type = node.attributes.get('w:type') ?? 'normal';
    if (node.name === `w:${kind}` && type === 'normal') notes.set(node.attributes.get('w:id') ?? '', node);
  }
  return notes;
}

/** The list that a list style stands for. */
function listStyles(root: XmlElement | undefined): (id: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  for (const style of elements(root)) {
    if (style.attributes.get('w:type') !== 'numbering') continue;
    found.set(
      style.attributes.get('w:styleId') ?? '',
      childValue(child(child(style, 'w:pPr'), 'w:numPr'), 'w:numId'),
    );
  }
  return (id) => found.get(id);
}

/** A heading's address within the document, as GitHub and most renderers make it. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Where bookmarks lie in headings, links to them lead to the heading; other places of a text have no address. */
function headingAddresses(outline: readonly OutlineParagraph[]): Map<string, string> {
  const addresses = new Map<string, string>();
  const used = new Map<string, number>();
  for (const paragraph of outline) {
    if (paragraph.kind !== 'heading' && paragraph.kind !== 'title') continue;
    const base = slug(paragraph.label === '' ? paragraph.text : `${paragraph.label} ${paragraph.text}`);
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    for (const name of paragraph.bookmarks) addresses.set(name, count === 0 ? base : `${base}-${count}`);
  }
  return addresses;
}

function resolveAnchors(
  links: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, string>,
): Map<string, string> {
  const resolved = new Map<string, string>();
  for (const [id, target] of links) {
    if (!target.startsWith('#')) resolved.set(id, target);
    else resolved.set(id, `#${addresses.get(target.slice(1)) ?? ''}`);
  }
  return resolved;
}

/**
 * Rewrites a Word document into the few forms that survive the way to Markdown: what mammoth would lose (equations, text
 * boxes, numbers of headings, fields, code, headings in disguise) is turned into what it keeps.
 */
export async function rewriteDocument(docx: DocxPackage, tally: Tally): Promise<Rewritten> {
  const parts = { footnote: await docx.related('footnotes'), endnote: await docx.related('endnotes') };
  const stylesPart = await docx.related('styles');
  const styles = readStyles(stylesPart?.root);
  const numbering = readNumbering((await docx.related('numbering'))?.root, listStyles(stylesPart?.root));
  const body = child(docx.main.root, 'w:body') ?? element('w:body');
  simplify(body, tally);
  tally.letters += visibleLetters(body);
  const notes = { footnote: notesOf(parts.footnote, 'footnote'), endnote: notesOf(parts.endnote, 'endnote') };
  const fixedWidthIsCode = fontMarksCode(body, styles);
  const outline: OutlineParagraph[] = [];
  const graphics = await readGraphics(docx);
  const contextOf = (part: DocxPart | undefined): Context => ({
    styles,
    numbering,
    tally,
    links: createLinks(part?.relationships ?? new Map()),
    hasNote: (kind, id) => notes[kind].has(id),
    graphics,
    fields: [],
    isRepeated: false,
    fontMarksCode: fixedWidthIsCode,
    bookmarks: [],
    outline,
  });
  const context = contextOf(docx.main);
  const content = rewriteBlocks(body.children, context, true);
  tally.source.headings -= demoteContentsTitles(outline);
  tally.source.headings += promotePseudoHeadings(outline);
  quoteSetIn(outline);
  const addresses = headingAddresses(outline);

  const rewriteNotes = (kind: NoteKind) => {
    const own = { ...contextOf(parts[kind]), hasNote: () => false };
    const rewritten: XmlNode[] = [];
    for (const [id, note] of notes[kind]) {
      simplify(note, tally);
      tally.letters += visibleLetters(note);
      rewritten.push(element(`w:${kind}`, { 'w:id': id }, rewriteBlocks(note.children, own, false)));
    }
    const links = resolveAnchors(own.links.all(), addresses);
    tally.source.links += countLinks(rewritten, links);
    return { content: rewritten, links };
  };
  const links = resolveAnchors(context.links.all(), addresses);
  tally.source.links += countLinks(content, links);
  const furniture = async (place: 'header' | 'footer') => {
    const found = await readFurniture(docx, place, (part) => {
      // What stands in the margins is text and no structure: it is counted apart.
      const apart = createTally();
      simplify(part.root, apart);
      const own = { ...contextOf(part), tally: apart, hasNote: () => false, isRepeated: true };
      return rewriteBlocks(part.root.children, own, false);
    });
    tally.furniture += found.letters;
    if (found.left > 0) lose(tally, 'header_footer', found.left);
    return found.content;
  };
  return {
    body: [...(await furniture('header')), ...content, ...(await furniture('footer'))],
    links,
    notes: { footnote: rewriteNotes('footnote'), endnote: rewriteNotes('endnote') },
  };
}
