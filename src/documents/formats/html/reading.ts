import type { Tally } from '../to-markdown/tally.ts';
import type { PageBuilder } from './page-builder.ts';
import type { Element, Leave } from './parse.ts';
import type { Survey } from './survey.ts';

/** What elements are read into. */
export interface Reading {
  page: PageBuilder;
  survey: Survey;
  tally: Tally;
  /** Addresses may take so many more UTF-16 units: a link that is never closed is in the tree again and again. */
  roomForAddresses: number;
}

/** Reads the beginning of an element; what is returned is done behind its content. */
export type Handler = (element: Element, reading: Reading) => Leave | 'skip' | undefined;

/** An element that stands between others on lines of its own, and is no more than that. */
export const division: Handler = (_, { page }) => {
  page.endLine();
  return () => page.endLine();
};
