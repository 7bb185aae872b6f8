import { attribute, type Element, type Leave } from './parse.ts';

const CHROME = new Map([
  ['nav', 'navigation'],
  ['header', 'header_footer'],
  ['footer', 'header_footer'],
]);
const CHROME_ROLES = new Map([
  ['navigation', 'navigation'],
  ['banner', 'header_footer'],
  ['contentinfo', 'header_footer'],
]);
const MAIN = new Set(['main', 'article']);

/** The kind of loss that an element is where it stands around the main content. */
function chromeKind(element: Element): string | undefined {
  return CHROME.get(element.tagName) ?? CHROME_ROLES.get(attribute(element, 'role') ?? '');
}

/** Finds what stands around a page's main content, while the page is walked over. */
export interface ChromeFinder {
  /** @param letters how many were read so far */
  element(element: Element, letters: () => number): Leave | undefined;
  /** Elements around the main content with the kind of loss that they are; none where the page does not say what is main. */
  chrome(): ReadonlyMap<Element, string>;
}

export function createChromeFinder(): ChromeFinder {
  const chrome = new Map<Element, string>();
  /** Main contents with text in them that were read to their end. */
  let mains = 0;
  let openMains = 0;

  function main(letters: () => number): Leave {
    const before = letters();
    openMains += 1;
    return () => {
      openMains -= 1;
      if (letters() > before) mains += 1;
    };
  }

  return {
    element(element, letters) {
      if (MAIN.has(element.tagName) || attribute(element, 'role') === 'main') return main(letters);
      const kind = openMains === 0 ? chromeKind(element) : undefined;
      if (kind === undefined) return undefined;
      const before = mains;
      // A menu that was not closed holds the rest of the page.
      return () => {
        if (mains === before) chrome.set(element, kind);
      };
    },
    chrome: () => (mains > 0 ? chrome : new Map()),
  };
}
