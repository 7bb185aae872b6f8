import { child, childValue, integer } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { settleBoxes } from './check-boxes.ts';
import { fixedWidth } from './code-lines.ts';
import type { Context, OutlineParagraph } from './context.ts';
import { isSetIn } from './indentation.ts';
import { Line, run } from './line.ts';
import { isCodeStyle } from './marks.ts';
import { asContinuation, asListItem, asTask, continuedDepth, endLists, type Nesting } from './nesting.ts';
import type { ListItem } from './numbering.ts';
import { paragraphElement } from './paragraph-element.ts';
import { type Gathered, resumeLink, rewriteInline } from './runs.ts';
import { leftOf, type Style } from './styles.ts';

const QUOTE_STYLE = /^(intense quote|quote|quotations?|block ?quotes?|block ?text|citation|quoted)$/;

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

interface Rewritten {
  /** None for a paragraph without content; an empty item may come in front of the one that is nested in it. */
  paragraphs: XmlElement[];
  /** What hangs on it and comes after it (text boxes, charts), not yet rewritten. */
  after: XmlNode[];
}

type Kind = OutlineParagraph['kind'];

function gather(
  node: XmlElement,
  style: Style,
  level: number | undefined,
  context: Context,
  isBody: boolean,
): Gathered {
  const properties = child(node, 'w:pPr');
  const face = context.fontMarksCode ? fixedWidth(node, style, context.styles) : undefined;
  const inList = child(properties, 'w:numPr') !== undefined || style.numId !== undefined;
  const isTypewritten = face?.all === true && face.plain && !inList;
  const gathered: Gathered = {
    line: new Line(),
    style,
    after: [],
    letters: 0,
    boldLetters: 0,
    size: 0,
    isCode: level === undefined && (isCodeStyle(style) || isTypewritten),
    fontMarksCode: face?.some === true && !face.all,
    isHeading: level !== undefined && isBody,
  };
  resumeLink(gathered, context);
  rewriteInline(node.children, gathered, context);
  return gathered;
}

/** A paragraph while it is rewritten: what it says of itself, and what was gathered of its content. */
interface Reading {
  properties: XmlElement | undefined;
  style: Style;
  gathered: Gathered;
  content: XmlNode[];
  /** It is an item with a check box. */
  isTask: boolean;
  list: (ListItem & { numId: string }) | undefined;
  nesting: Nesting;
}

/**
 * Rewrites one paragraph: decides what it is (heading, code, list item, quote, text) and gives it the style that says so.
 *
 * @param nesting of the lists around it; changed by list items, and ended by anything else
 */
export function rewriteParagraph(
  node: XmlElement,
  nesting: Nesting,
  context: Context,
  isBody: boolean,
): Rewritten {
  const properties = child(node, 'w:pPr');
  const styleId = childValue(properties, 'w:pStyle');
  const style = context.styles.paragraph(styleId);
  const isTitle = style.names[0] === 'title' && isBody;
  const level = isTitle ? 1 : headingLevel(properties, style);
  const gathered = gather(node, style, level, context, isBody);
  const { line, after, isCode, isHeading } = gathered;
  // An empty paragraph of a list has a number all the same.
  const list = isCode ? undefined : listOf(properties, style, styleId, context);
  const { content, isTask } = settleBoxes(line.nodes(), line.isEmpty ? undefined : list?.box);
  const reading = { properties, style, gathered, content, isTask: isTask && isBody, list, nesting };
  if (line.isEmpty && !(isCode && content.length > 0)) {
    if (list !== undefined && !isHeading && after.length === 0) listItem(list, [], reading);
    return { paragraphs: [], after };
  }
  const [kind, paragraphs] =
    isHeading && level !== undefined
      ? heading(isTitle ? 'title' : 'heading', level, reading, context)
      : classify(reading, context);
  const bookmarks = context.bookmarks.splice(0);
  if (kind !== 'list' && kind !== 'continued') endLists(nesting);
  if (isBody) {
    context.outline.push({
      element: paragraphs.at(-1),
      kind,
      bookmarks,
      ...outlineFacts(reading, context),
      setIn: kind === 'plain' && isSetIn(properties, style),
    });
  }
  return { paragraphs, after };
}

function heading(
  kind: 'heading' | 'title',
  level: number,
  { list, content }: Reading,
  context: Context,
): readonly [Kind, XmlElement[]] {
  context.tally.source.headings += 1;
  const label = list?.ordered ? [run(`${list.label} `)] : [];
  return [kind, [paragraphElement(`h${level}`, [...label, ...content])]];
}

/** What a paragraph is that is no heading, and what becomes of it. */
function classify(reading: Reading, context: Context): readonly [Kind, XmlElement[]] {
  const { properties, style, gathered, content, isTask, list, nesting } = reading;
  if (gathered.isCode) {
    return ['other', [paragraphElement(isCodeStyle(style) ? 'code' : 'maybe-code', content)]];
  }
  if (list !== undefined) {
    const paragraphs = listItem(list, content, reading);
    context.tally.source.list_items += paragraphs.length;
    return ['list', paragraphs];
  }
  if (style.names.some((name) => QUOTE_STYLE.test(name))) {
    return ['other', [paragraphElement('quote', content)]];
  }
  const left = leftOf(properties) ?? style.left;
  if (isTask) {
    const paragraphs = asTask(nesting, left, content);
    context.tally.source.list_items += paragraphs.length;
    return ['list', paragraphs];
  }
  const depth = continuedDepth(nesting, left);
  if (depth > 0) {
    const paragraphs = asContinuation(nesting, depth, content);
    context.tally.source.list_items += paragraphs.length - 1;
    return ['continued', paragraphs];
  }
  return ['plain', [paragraphElement(undefined, content)]];
}

function listItem(
  list: ListItem & { numId: string },
  content: XmlNode[],
  { properties, style, nesting }: Reading,
): XmlElement[] {
  return asListItem(list, leftOf(properties) ?? list.textAt ?? style.left, content, nesting);
}

/** What the outline has to know of a paragraph, whatever it is. */
function outlineFacts({ style, gathered, list }: Reading, context: Context) {
  const { line, letters, boldLetters, size } = gathered;
  return {
    text: line.plain,
    bold: letters > 0 && boldLetters === letters,
    size,
    label: list?.label ?? '',
    numId: list?.numId,
    inContents:
      context.fields.some((field) => field.result?.kind === 'contents') ||
      /^toc \d/.test(style.names[0] ?? ''),
  };
}
