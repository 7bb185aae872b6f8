import { attribute, type Child, type Element, type Parent } from './parse.ts';
import { division, type Handler } from './reading.ts';

const heading: Handler = (element, { page }) => page.heading(Number(element.tagName[1]));

/** How pages say in which language a code is: `language-js`, `lang-js`, `highlight-source-js`, `brush: js`. */
const LANGUAGE = /(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|brush:\s?)([\w+#.-]{1,30})/i;
/** Class names are read so far, in UTF-16 units. */
const CLASSES_READ = 500;

const isElement = (node: Child | Parent | null): node is Element => node !== null && 'tagName' in node;

/** The elements that may name a code's language: the one inside, its own, and two around it. */
function* speakersFor(pre: Element): Generator<Element> {
  const inside = pre.childNodes.find((child) => isElement(child) && child.tagName === 'code');
  if (inside && isElement(inside)) yield inside;
  yield pre;
  const around = pre.parentNode;
  if (!isElement(around)) return;
  yield around;
  if (isElement(around.parentNode)) yield around.parentNode;
}

function languageOf(pre: Element): string {
  for (const element of speakersFor(pre)) {
    const named = attribute(element, 'data-lang') ?? attribute(element, 'data-language') ?? '';
    if (/^[\w+#.-]{1,30}$/.test(named)) return named;
    const found = LANGUAGE.exec((attribute(element, 'class') ?? '').slice(0, CLASSES_READ))?.[1];
    if (found !== undefined) return found;
  }
  return '';
}

const code: Handler = (element, { page }) => page.code(languageOf(element));

const quotation: Handler = (_, { page }) => page.block('BLOCKQUOTE');

const rule: Handler = (_, { page }) => {
  page.rule();
  return undefined;
};

/** What stands between lines, but for lists and tables. */
export const BLOCK_ELEMENTS: readonly (readonly [names: string, handler: Handler])[] = [
  ['h1 h2 h3 h4 h5 h6', heading],
  ['listing plaintext pre xmp', code],
  ['blockquote', quotation],
  ['hr', rule],
  [
    'address article aside body center details dialog div fieldset figcaption figure footer form header hgroup ' +
      'legend main nav optgroup option p search section summary textarea',
    division,
  ],
];
