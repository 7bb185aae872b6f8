import { child, childValue, integer } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { fixedWidth } from './code-lines.ts';
import type { Context, OutlineParagraph } from './context.ts';
import { isSetIn } from './indentation.ts';
import { createLine, run } from './line.ts';
import { isCodeStyle } from './marks.ts';
import { asContinuation, asListItem, continuesItem, endLists, type Nesting } from './nesting.ts';
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
  const isEmpty = line.isEmpty() && !(isCode && content.length > 0);
  if (isEmpty && list !== undefined && !isHeading && after.length === 0) {
    asListItem(list, [], nesting);
    nesting.textAt = leftOf(properties) ?? list.textAt ?? style.left;
    return { paragraphs: [], after };
  }
  if (isEmpty) return { paragraphs: [], after };

  const finish = (kind: Kind, ...paragraphs: XmlElement[]): Rewritten => {
    const bookmarks = context.bookmarks.splice(0);
    if (kind !== 'list' && kind !== 'continued') endLists(nesting);
    if (isBody) {
      context.outline.push({
        element: paragraphs.at(-1),
        text: line.plain(),
        kind,
        bold: gathered.letters > 0 && gathered.boldLetters === gathered.letters,
        size: gathered.size,
        label: list?.label ?? '',
        numId: list?.numId,
        bookmarks,
        setIn: kind === 'plain' && isSetIn(properties, style),
        inContents:
          context.fields.some((field) => field.result?.kind === 'contents') ||
          /^toc \d/.test(style.names[0] ?? ''),
      });
    }
    return { paragraphs, after };
  };
  if (isHeading && level !== undefined) {
    context.tally.source.headings += 1;
    const label = list?.ordered ? [run(`${list.label} `)] : [];
    return finish(isTitle ? 'title' : 'heading', paragraphElement(`h${level}`, [...label, ...content]));
  }
  if (isCode) return finish('other', paragraphElement(isCodeStyle(style) ? 'code' : 'maybe-code', content));
  if (list !== undefined) {
    const paragraphs = asListItem(list, content, nesting);
    nesting.textAt = leftOf(properties) ?? list.textAt ?? style.left;
    context.tally.source.list_items += paragraphs.length;
    return finish('list', ...paragraphs);
  }
  if (style.names.some((name) => QUOTE_STYLE.test(name)))
    return finish('other', paragraphElement('quote', content));
  if (continuesItem(nesting, leftOf(properties) ?? style.left)) {
    const paragraphs = asContinuation(nesting, content);
    context.tally.source.list_items += paragraphs.length - 1;
    return finish('continued', ...paragraphs);
  }
  return finish('plain', paragraphElement(undefined, content));
}
