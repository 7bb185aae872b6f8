import { hasLetters } from './left-out.ts';
import { targetOf } from './links.ts';
import { attribute } from './parse.ts';
import type { Handler } from './reading.ts';

const mark =
  (name: string): Handler =>
  (_, { page }) =>
    page.line.mark(name);

const link: Handler = (element, reading) => {
  const { page, tally } = reading;
  const href = attribute(element, 'href');
  if (href === undefined || page.isCode) return undefined;
  const target = targetOf(href);
  if (target.kind === 'none') {
    // A sign behind a heading, to link to it.
    return page.line.isHeading && !hasLetters(element) ? 'skip' : undefined;
  }
  if (target.kind === 'too_long' || target.address.length > reading.roomForAddresses) {
    tally.source.links += 1;
    return undefined;
  }
  reading.roomForAddresses -= target.address.length;
  return page.line.mark('A', { href: target.address });
};

const image: Handler = (element, { page, tally }) => {
  const alternative = attribute(element, 'alt');
  const isDecoration =
    alternative?.trim() === '' || ['presentation', 'none'].includes(attribute(element, 'role') ?? '');
  const isPixel = [attribute(element, 'width'), attribute(element, 'height')].some((size) =>
    /^[01](?:px)?$/.test(size ?? ''),
  );
  if (isDecoration || isPixel) return undefined;
  if (!page.isCode) tally.source.images += 1;
  page.image(alternative ?? '');
  return undefined;
};

const input: Handler = (element, { page }) => {
  if (page.isCode || attribute(element, 'type')?.toLowerCase() !== 'checkbox') return undefined;
  page.line.box(attribute(element, 'checked') !== undefined);
  return undefined;
};

const quotation: Handler = (_, { page }) => {
  page.text('“');
  return () => page.text('”');
};

const lineBreak: Handler = (_, { page }) => {
  page.break();
  return undefined;
};

/** What stands within lines; other elements that do are no more than their text. */
export const INLINE_ELEMENTS: readonly (readonly [names: string, handler: Handler])[] = [
  ['b strong', mark('STRONG')],
  ['em i', mark('EM')],
  ['del s strike', mark('S')],
  ['sub', mark('SUB')],
  ['sup', mark('SUP')],
  ['code kbd samp tt', mark('CODE')],
  ['a', link],
  ['br', lineBreak],
  ['img', image],
  ['input', input],
  ['q', quotation],
];
