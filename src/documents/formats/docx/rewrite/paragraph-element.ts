import { child, childValue, element } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** The styles of the rewritten document's paragraphs; `maybe-code` is settled before it is converted. */
export type ParagraphStyle = `h${number}` | `continued${number}` | 'code' | 'maybe-code' | 'quote';

/** A paragraph of the rewritten document; its list is a `w:numPr`. */
export function paragraphElement(
  style: ParagraphStyle | undefined,
  content: XmlNode[],
  list?: XmlElement,
): XmlElement {
  const properties: XmlElement[] = [];
  if (style !== undefined) properties.push(element('w:pStyle', { 'w:val': style }));
  if (list !== undefined) properties.push(list);
  return element(
    'w:p',
    {},
    properties.length === 0 ? content : [element('w:pPr', {}, properties), ...content],
  );
}

export function styleOf(node: XmlNode): string | undefined {
  return typeof node === 'string' ? undefined : childValue(child(node, 'w:pPr'), 'w:pStyle');
}

/** What is in a paragraph, without its properties. */
export function contentOf(paragraph: XmlElement): XmlNode[] {
  return paragraph.children.filter((part) => typeof part === 'string' || part.name !== 'w:pPr');
}
