import { element } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { run } from './line.ts';
import type { ListItem } from './numbering.ts';
import { paragraphElement } from './paragraph-element.ts';

/** The deepest level of a list that is told apart. */
const DEEPEST = 8;

/** An item that is open: what comes next may be nested in it, or be a further paragraph of it. */
interface OpenItem {
  /** Its level in the source. */
  level: number;
  /** Where its text begins, in twentieths of a point from the margin; undefined where nothing says it. */
  textAt: number | undefined;
}

/** How the lists of one container (the body, a cell, a note) nest. */
export interface Nesting {
  /** Outermost first. */
  items: OpenItem[];
  /** Numbered paragraphs without text, each nested in the one before: items if what comes next belongs to them. */
  waiting: XmlElement[];
  /** The level of the tasks that stand in no list of the source, while one is open. */
  taskLevel: number | undefined;
}

export function createNesting(): Nesting {
  return { items: [], waiting: [], taskLevel: undefined };
}

/** Tells that what comes next stands in no list. */
export function endLists(nesting: Nesting): void {
  nesting.items.length = 0;
  nesting.waiting.length = 0;
  nesting.taskLevel = undefined;
}

/**
 * How many items are open around a paragraph without a number, whose text begins at `left`: it is a further paragraph of the
 * innermost of them, or of none.
 */
export function continuedDepth({ items }: Nesting, left: number | undefined): number {
  if (left === undefined) return 0;
  return items.findLastIndex(({ textAt }) => textAt !== undefined && textAt > 0 && left >= textAt) + 1;
}

/** A further paragraph of the item at that depth; if that has no text so far, it comes with it. */
export function asContinuation(nesting: Nesting, depth: number, content: XmlNode[]): XmlElement[] {
  const { items, waiting } = nesting;
  if (depth < items.length) waiting.length = 0;
  items.length = depth;
  const paragraph = paragraphElement(`continued${Math.min(depth, DEEPEST + 1)}`, content);
  return [...waiting.splice(0), paragraph];
}

/** A paragraph with a check box as an item: in the item that it would continue, and beside the tasks before it. */
export function asTask(nesting: Nesting, left: number | undefined, content: XmlNode[]): XmlElement[] {
  const { items, taskLevel } = nesting;
  const outer = items[continuedDepth(nesting, left) - 1];
  const level = taskLevel ?? (outer === undefined ? 0 : outer.level + 1);
  const task = { level, ordered: false, label: '', number: 1, simple: true };
  const paragraphs = asListItem(task, left, content, nesting);
  nesting.taskLevel = level;
  return paragraphs;
}

function nest({ level }: ListItem, textAt: number | undefined, { items }: Nesting): number {
  while ((items.at(-1)?.level ?? -1) >= level) items.pop();
  items.push({ level, textAt });
  return Math.min(items.length - 1, DEEPEST);
}

function listProperties(level: number, ordered: boolean): XmlElement {
  return element('w:numPr', {}, [
    element('w:ilvl', { 'w:val': String(level) }),
    element('w:numId', { 'w:val': ordered ? '2' : '1' }),
  ]);
}

/**
 * A list item as the rewritten document refers to its list, with the label that Markdown cannot count by itself, and the items
 * without text that it is nested in. An item without content waits for one that is nested in it.
 *
 * @param textAt where its text begins, in twentieths of a point from the margin
 */
export function asListItem(
  item: ListItem,
  textAt: number | undefined,
  content: XmlNode[],
  nesting: Nesting,
): XmlElement[] {
  const counted = item.ordered && item.simple;
  const isEmpty = content.length === 0;
  const depth = nesting.items.length;
  const level = nest(item, textAt, nesting);
  if (nesting.items.length <= depth) nesting.waiting.length = 0;
  nesting.taskLevel = undefined;
  const label = counted
    ? [run(String(item.number), {}, 'label')]
    : item.ordered
      ? [run(`${item.label} `)]
      : isEmpty
        ? [run('-', {}, 'label')]
        : [];
  const paragraph = paragraphElement(undefined, [...label, ...content], listProperties(level, counted));
  nesting.waiting.push(paragraph);
  return isEmpty ? [] : nesting.waiting.splice(0);
}
