import { child, element, integer } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';
import type { OutlineParagraph } from './context.ts';
import { leftOf, type Style } from './styles.ts';

/** Set in by less, in twentieths of a point, is a matter of taste; by more, a place on the page (a signature, a date). */
const LEAST = 280;
const MOST = 2_900;
/** Where more of the paragraphs than this share are set in, it is how the document is laid out. */
const SHARE = 0.2;
const FEW = 2;

/** Whether somebody set a paragraph in, beyond what its style says: how most people make a quotation. */
export function isSetIn(properties: XmlElement | undefined, style: Style): boolean {
  // The first line of a hanging paragraph stands further left: it has a label and its text.
  const hanging = integer(child(properties, 'w:ind')?.attributes.get('w:hanging')) ?? 0;
  const more = (leftOf(properties) ?? 0) - hanging - (style.left ?? 0);
  return more >= LEAST && more <= MOST;
}

/** Makes quotations of the paragraphs that are set in, where few enough are for that to mean something. */
export function quoteSetIn(outline: readonly OutlineParagraph[]): void {
  const plain = outline.filter((one) => one.kind === 'plain');
  const setIn = plain.filter((one) => one.setIn && !one.inContents);
  if (setIn.length > Math.max(FEW, plain.length * SHARE)) return;
  for (const { element: node } of setIn) {
    if (node === undefined) continue;
    const content = node.children.filter((part) => typeof part === 'string' || part.name !== 'w:pPr');
    node.children = [element('w:pPr', {}, [element('w:pStyle', { 'w:val': 'quote' })]), ...content];
  }
}
