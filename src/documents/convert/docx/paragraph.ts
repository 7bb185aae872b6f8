import { fixedWidth } from './code-lines.ts';
import type { Context, OutlineParagraph } from './context.ts';
import { child, childValue, element, integer } from './dom.ts';
import { createLine, run } from './line.ts';
import { isCodeStyle } from './marks.ts';
import type { ListItem } from './numbering.ts';
import { paragraphElement } from './paragraph-element.ts';
import { type Gathered, resumeLink, rewriteInline } from './runs.ts';
import type { Style } from './styles.ts';
import type { XmlElement, XmlNode } from './xml.ts';

const QUOTE_STYLE = /^(intense quote|quote|quotations?|block ?quotes?|block ?text|citation|quoted)$/;

/** How the lists of one container (the body, a cell, a note) nest: source levels, outermost first. */
export interface Nesting {
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

interface Rewritten {
  /** Undefined for a paragraph without content. */
  paragraph: XmlElement | undefined;
  /** What hangs on it and comes after it (text boxes, charts), not yet rewritten. */
  after: XmlNode[];
}

type Kind = OutlineParagraph['kind'];

/** The paragraph's list, as the rewritten document refers to it, with the label that Markdown cannot count by itself. */
function asListItem(item: ListItem, content: XmlNode[], nesting: Nesting): XmlElement {
  const counted = item.ordered && item.simple;
  const label = counted
    ? [run(String(item.number), {}, 'label')]
    : item.ordered
      ? [run(`${item.label} `)]
      : [];
  return paragraphElement(
    undefined,
    [...label, ...content],
    listProperties(nest(item.level, nesting), counted),
  );
}

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
    line: createLine(),
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
  const content = line.nodes();
  // An empty paragraph of a list has a number all the same.
  const list = isCode ? undefined : listOf(properties, style, styleId, context);
  if (line.isEmpty() && !(isCode && content.length > 0)) return { paragraph: undefined, after };

  const finish = (kind: Kind, paragraph: XmlElement): Rewritten => {
    const bookmarks = context.bookmarks.splice(0);
    if (kind !== 'list') nesting.levels.length = 0;
    if (isBody) {
      context.outline.push({
        element: paragraph,
        text: line.plain(),
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
    }
    return { paragraph, after };
  };
  if (isHeading && level !== undefined) {
    context.tally.source.headings += 1;
    const label = list?.ordered ? [run(`${list.label} `)] : [];
    return finish(isTitle ? 'title' : 'heading', paragraphElement(`h${level}`, [...label, ...content]));
  }
  if (isCode) return finish('other', paragraphElement(isCodeStyle(style) ? 'code' : 'maybe-code', content));
  if (list !== undefined) {
    context.tally.source.list_items += 1;
    return finish('list', asListItem(list, content, nesting));
  }
  if (style.names.some((name) => QUOTE_STYLE.test(name)))
    return finish('other', paragraphElement('quote', content));
  return finish('plain', paragraphElement(undefined, content));
}
