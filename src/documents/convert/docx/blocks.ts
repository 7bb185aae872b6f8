import type { Context } from './context.ts';
import { child, childValue, element, elements, findAll, integer, ownText } from './dom.ts';
import { createLine, run } from './line.ts';
import { isCodeStyle, isMonospaced, looksLikeCode, runPropertiesOf, runStyle } from './marks.ts';
import type { ListItem } from './numbering.ts';
import { type Gathered, resumeLink, rewriteInline } from './runs.ts';
import type { Style } from './styles.ts';
import { rewriteTable } from './table.ts';
import type { XmlElement, XmlNode } from './xml.ts';

const QUOTE_STYLE = /^(intense quote|quote|quotations?|block ?quotes?|block ?text|citation|quoted)$/;

/** How the lists of one container (the body, a cell, a note) nest: source levels, outermost first. */
interface Nesting {
  levels: number[];
}

/** A paragraph's own list, or its style's. */
function listOf(
  properties: XmlElement | undefined,
  style: Style,
  styleId: string | undefined,
  context: Context,
): (ListItem & { numId: string }) | undefined {
  const direct = child(properties, 'w:numPr');
  const numId = childValue(direct, 'w:numId') ?? style.numId;
  if (numId === undefined || numId === '' || numId === '0') return undefined;
  const ofStyle = styleId === undefined ? undefined : context.numbering.levelOfStyle(numId, styleId);
  const level = integer(childValue(direct, 'w:ilvl')) ?? ofStyle ?? style.listLevel ?? 0;
  const item = context.numbering.next(numId, level);
  return item && { ...item, numId };
}

/**
 * The level of a heading, 1 to 6. Word's built-in names count most (they never change, and styles made from them stay
 * headings); the outline level tells of styles that are headings under other names.
 */
function headingLevel(properties: XmlElement | undefined, style: Style): number | undefined {
  const direct = integer(childValue(properties, 'w:outlineLvl'));
  if (direct !== undefined && direct <= 8) return Math.min(direct + 1, 6);
  for (const name of style.names) {
    const digit = /^heading ?([1-9])$/.exec(name)?.[1];
    if (digit !== undefined) return Math.min(Number(digit), 6);
  }
  const { outlineLevel } = style;
  return outlineLevel !== undefined && outlineLevel <= 8 ? Math.min(outlineLevel + 1, 6) : undefined;
}

/** How the letters of a paragraph are set: all, some or none of them in a fixed-width face. */
function fixedWidth(
  node: XmlElement,
  style: Style,
  context: Context,
): { all: boolean; some: boolean; plain: boolean } {
  const runs = findAll(node, 'w:r').filter((part) =>
    elements(part).some((text) => text.name === 'w:t' && ownText(text).trim() !== ''),
  );
  const set = runs.map((part) => runStyle(runPropertiesOf(part), style, context.styles));
  const fixed = set.filter(isMonospaced);
  const plain = set.every((one) => !(one.own.bold || one.own.italic));
  return { all: fixed.length > 0 && fixed.length === set.length, some: fixed.length > 0, plain };
}

function nest(level: number, nesting: Nesting): number {
  while ((nesting.levels.at(-1) ?? -1) > level) nesting.levels.pop();
  if ((nesting.levels.at(-1) ?? -1) < level) nesting.levels.push(level);
  return Math.min(nesting.levels.length - 1, 8);
}

function listProperties(level: number, ordered: boolean): XmlElement {
  return element('w:numPr', {}, [
    element('w:ilvl', { 'w:val': String(level) }),
    element('w:numId', { 'w:val': ordered ? '2' : '1' }),
  ]);
}

function paragraph(
  styleName: string | undefined,
  list: XmlElement | undefined,
  content: XmlNode[],
): XmlElement {
  const properties: XmlElement[] = [];
  if (styleName !== undefined) properties.push(element('w:pStyle', { 'w:val': styleName }));
  if (list !== undefined) properties.push(list);
  return element(
    'w:p',
    {},
    properties.length === 0 ? content : [element('w:pPr', {}, properties), ...content],
  );
}

/** Rewrites one paragraph; the blocks that hang on it (text boxes, charts) come after it. */
function rewriteParagraph(node: XmlElement, nesting: Nesting, context: Context, isBody: boolean): XmlNode[] {
  const properties = child(node, 'w:pPr');
  const styleId = childValue(properties, 'w:pStyle');
  const style = context.styles.paragraph(styleId);
  const isTitle = style.names[0] === 'title' && isBody;
  const level = isTitle ? 1 : headingLevel(properties, style);
  const face = context.fontMarksCode ? fixedWidth(node, style, context) : undefined;
  const inList = child(properties, 'w:numPr') !== undefined || style.numId !== undefined;
  const isCode = level === undefined && (isCodeStyle(style) || (face?.all === true && face.plain && !inList));
  const gathered: Gathered = {
    line: createLine(),
    style,
    after: [],
    letters: 0,
    boldLetters: 0,
    size: 0,
    isCode,
    fontMarksCode: face?.some === true && !face.all,
    isHeading: level !== undefined && isBody,
  };
  resumeLink(gathered, context);
  rewriteInline(node.children, gathered, context);
  const content = gathered.line.nodes();
  const after = gathered.after.length === 0 ? [] : rewriteBlocks(gathered.after, context, false);
  if (gathered.line.isEmpty() && !(isCode && content.length > 0)) return after;

  const list = isCode ? undefined : listOf(properties, style, styleId, context);
  const { tally } = context;
  const bookmarks = context.bookmarks.splice(0);
  const text = gathered.line.plain();
  const record = (kind: 'heading' | 'title' | 'plain' | 'list' | 'other', made: XmlElement) => {
    if (!isBody) return;
    context.outline.push({
      element: made,
      text,
      kind,
      bold: gathered.letters > 0 && gathered.boldLetters === gathered.letters,
      size: gathered.size,
      label: list?.label ?? '',
      numId: list?.numId,
      bookmarks,
      inContents:
        context.fields.some((field) => field.result?.kind === 'contents') ||
        /^toc \d/.test(style.names[0] ?? ''),
    });
  };
  if (gathered.isHeading) {
    tally.source.headings += 1;
    nesting.levels.length = 0;
    const label = list?.ordered ? [run(`${list.label} `)] : [];
    const made = paragraph(`h${level}`, undefined, [...label, ...content]);
    record(isTitle ? 'title' : 'heading', made);
    return [made, ...after];
  }
  if (isCode) {
    nesting.levels.length = 0;
    const made = element('w:p', {}, [
      element('w:pPr', {}, [element('w:pStyle', { 'w:val': isCodeStyle(style) ? 'code' : 'maybe-code' })]),
      ...content,
    ]);
    record('other', made);
    return [made, ...after];
  }
  if (list !== undefined) {
    tally.source.list_items += 1;
    const numbered = list.ordered && list.simple;
    // Markdown numbers by itself: what it cannot say ("2.1", "Article 3") stays in front of the text.
    const label = numbered
      ? [run(String(list.number), {}, 'label')]
      : list.ordered
        ? [run(`${list.label} `)]
        : [];
    const made = paragraph(undefined, listProperties(nest(list.level, nesting), numbered), [
      ...label,
      ...content,
    ]);
    record('list', made);
    if (after.length > 0) nesting.levels.length = 0;
    return [made, ...after];
  }
  nesting.levels.length = 0;
  const isQuote = style.names.some((name) => QUOTE_STYLE.test(name));
  const made = paragraph(isQuote ? 'quote' : undefined, undefined, content);
  record(isQuote ? 'other' : 'plain', made);
  return [made, ...after];
}

function styleOf(node: XmlNode): string | undefined {
  return typeof node === 'string' ? undefined : childValue(child(node, 'w:pPr'), 'w:pStyle');
}

function contentOf(node: XmlElement): XmlNode[] {
  return node.children.filter((part) => typeof part === 'string' || part.name !== 'w:pPr');
}

/** Lines of code that follow one another are one block; lines that only look like code in their face stay paragraphs. */
function joinCode(blocks: XmlNode[]): XmlNode[] {
  const joined: XmlNode[] = [];
  let lines: XmlElement[] = [];
  const flush = () => {
    const text = lines.map((line) => findAll(line, 'w:t').map(ownText).join('')).join('\n');
    const isCode = lines.some((line) => styleOf(line) === 'code') || looksLikeCode(text);
    if (!isCode) joined.push(...lines.map((line) => paragraph(undefined, undefined, contentOf(line))));
    else if (lines.length > 0) {
      const content = lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [run('\n')]),
        ...contentOf(line),
      ]);
      joined.push(paragraph('code', undefined, content));
    }
    lines = [];
  };
  for (const block of blocks) {
    const style = styleOf(block);
    if (typeof block !== 'string' && (style === 'code' || style === 'maybe-code')) lines.push(block);
    else {
      flush();
      joined.push(block);
    }
  }
  flush();
  return joined;
}

/**
 * Rewrites paragraphs and tables into the plain form that mammoth converts without loss.
 *
 * @param isBody whether they are the document's own: only there are headings headings
 */
export function rewriteBlocks(nodes: readonly XmlNode[], context: Context, isBody: boolean): XmlNode[] {
  const out: XmlNode[] = [];
  const nesting: Nesting = { levels: [] };
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if (node.name === 'w:p') {
      for (const made of rewriteParagraph(node, nesting, context, isBody)) out.push(made);
    } else if (node.name === 'w:tbl') {
      nesting.levels.length = 0;
      for (const made of rewriteTable(node, context, isBody, rewriteBlocks)) out.push(made);
    } else if (node.name === 'm:oMath' || node.name === 'm:oMathPara') {
      for (const made of rewriteParagraph(element('w:p', {}, [node]), nesting, context, isBody))
        out.push(made);
    }
  }
  return joinCode(out);
}

/** Whether text in a fixed-width face is rare enough in a document to mean something. */
export function fontMarksCode(body: XmlElement, context: Pick<Context, 'styles'>): boolean {
  let all = 0;
  let fixed = 0;
  for (const node of findAll(body, 'w:p')) {
    const style = context.styles.paragraph(childValue(child(node, 'w:pPr'), 'w:pStyle'));
    for (const part of elements(node)) {
      if (part.name !== 'w:r') continue;
      const length = elements(part).reduce(
        (sum, text) => sum + (text.name === 'w:t' ? ownText(text).length : 0),
        0,
      );
      all += length;
      if (isMonospaced(runStyle(runPropertiesOf(part), style, context.styles))) fixed += length;
    }
  }
  return fixed * 2 < all;
}
