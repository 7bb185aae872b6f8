import { element } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { run } from './line.ts';
import type { ListItem } from './numbering.ts';
import { paragraphElement } from './paragraph-element.ts';

/** The deepest level of a list that is told apart. */
const DEEPEST = 8;

/** How the lists of one container (the body, a cell, a note) nest. */
export interface Nesting {
  /** Source levels of the items that are open, outermost first. */
  levels: number[];
  /** Where the text of the last item begins, in twentieths of a point from the margin; undefined where nothing says it. */
  textAt: number | undefined;
  /** Numbered paragraphs without text, each nested in the one before: items if what comes next belongs to them. */
  waiting: XmlElement[];
}

export function createNesting(): Nesting {
  return { levels: [], textAt: undefined, waiting: [] };
}

/** Tells that what comes next stands in no list. */
export function endLists(nesting: Nesting): void {
  nesting.levels.length = 0;
  nesting.textAt = undefined;
  nesting.waiting.length = 0;
}

/** Whether a paragraph without a number, whose text begins at `left`, is a further paragraph of the last item. */
export function continuesItem({ levels, textAt }: Nesting, left: number | undefined): boolean {
  return levels.length > 0 && textAt !== undefined && textAt > 0 && left !== undefined && left >= textAt;
}

/** A further paragraph of the last item; if that has no text so far, it comes with it. */
export function asContinuation({ levels, waiting }: Nesting, content: XmlNode[]): XmlElement[] {
  const paragraph = paragraphElement(`continued${Math.min(levels.length, DEEPEST + 1)}`, content);
  return [...waiting.splice(0), paragraph];
}

function nest(level: number, { levels }: Nesting): number {
  while ((levels.at(-1) ?? -1) > level) levels.pop();
  if ((levels.at(-1) ?? -1) < level) levels.push(level);
  return Math.min(levels.length - 1, DEEPEST);
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
 */
export function asListItem(item: ListItem, content: XmlNode[], nesting: Nesting): XmlElement[] {
  const counted = item.ordered && item.simple;
  const isEmpty = content.length === 0;
  const depth = nesting.levels.length;
  const level = nest(item.level, nesting);
  if (nesting.levels.length <= depth) nesting.waiting.length = 0;
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
