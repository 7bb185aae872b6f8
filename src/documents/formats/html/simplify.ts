import { lose, type Tally } from '../to-markdown/tally.ts';
import { BLOCK_ELEMENTS } from './block-elements.ts';
import { INLINE_ELEMENTS } from './inline-elements.ts';
import { isLoss, leftOut } from './left-out.ts';
import { LIST_ELEMENTS } from './list-elements.ts';
import { PageBuilder } from './page-builder.ts';
import { type Parent, type Visitor, walk } from './parse.ts';
import type { Handler, Reading } from './reading.ts';
import type { SimpleNode } from './simple-node.ts';
import { surveyPage } from './survey.ts';
import { TABLE_ELEMENTS } from './table-elements.ts';

const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [...BLOCK_ELEMENTS, ...LIST_ELEMENTS, ...TABLE_ELEMENTS, ...INLINE_ELEMENTS].flatMap(([names, handler]) =>
    names.split(' ').map((name) => [name, handler] as const),
  ),
);

/** A page with what is left of it. */
export interface SimplePage {
  root: SimpleNode;
  /** The text of `<title>`, which stands nowhere in the page itself. */
  title: string;
}

/**
 * What a reader of a page sees, in the dialect of HTML that is written as Markdown: a few kinds of blocks, nested a few
 * levels deep, with lines in them. Scripts, what is hidden and what stands around the main content are left out.
 *
 * @param tree is taken apart
 * @param length of the page's text, in UTF-16 units
 * @param tally counts what there is and what is left out
 */
export function simplifyPage(tree: Parent, length: number, tally: Tally): SimplePage {
  const survey = surveyPage(tree);
  const page = new PageBuilder(tally);
  const reading: Reading = { page, survey, tally, roomForAddresses: length };
  const visitor: Visitor = {
    element(element) {
      const aroundMain = survey.chrome.get(element);
      const left = aroundMain === undefined ? leftOut(element) : { kind: aroundMain };
      if (left === undefined) return HANDLERS.get(element.tagName)?.(element, reading);
      if (left.kind !== undefined && isLoss(left.kind, element)) lose(tally, left.kind);
      return 'skip';
    },
    text: (value) => page.text(value),
  };
  walk(tree, visitor, true);
  page.line.close();
  return { root: page.root, title: survey.title };
}
