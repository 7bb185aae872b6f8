import { countLetters } from '../to-markdown/letters.ts';
import { createGridFinder } from './grids.ts';
import { leftOut } from './left-out.ts';
import { createChromeFinder } from './main-content.ts';
import { type Element, type Parent, walk } from './parse.ts';

/** What has to be known of a page before it is read. */
export interface Survey {
  /** What stands around the main content, with the kind of loss that it is. */
  chrome: ReadonlyMap<Element, string>;
  /** Tables and lists that arrange the page: what is in them is no row and no item. */
  arranging: ReadonlySet<Element>;
  /** The text of the first `<title>`. */
  title: string;
}

function titleIn(element: Element): string {
  let title = '';
  walk(element, {
    element: () => undefined,
    text: (value) => {
      title += value;
    },
  });
  return title.replace(/\s+/g, ' ').trim();
}

/** Goes over a page once. Pure; time grows in proportion to its length. */
export function surveyPage(root: Parent): Survey {
  const grids = createGridFinder();
  const main = createChromeFinder();
  let title: string | undefined;
  let letters = 0;
  walk(root, {
    element(element) {
      if (element.tagName === 'title') title ??= titleIn(element);
      if (leftOut(element)) return 'skip';
      return grids.element(element) ?? main.element(element, () => letters);
    },
    text(value) {
      letters += countLetters(value);
    },
  });
  return { chrome: main.chrome(), arranging: grids.arranging, title: title ?? '' };
}
