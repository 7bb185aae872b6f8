import type { XmlElement, XmlNode } from './xml.ts';

/** The child elements of an element, without the text between them. */
export function elements(parent: XmlElement | undefined): XmlElement[] {
  return (parent?.children ?? []).filter((node): node is XmlElement => typeof node !== 'string');
}

/** The first child element of that name. */
export function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((node): node is XmlElement => typeof node !== 'string' && node.name === name);
}

/** The `w:val` of the first child of that name: how Word writes most properties. */
export function childValue(parent: XmlElement | undefined, name: string): string | undefined {
  return child(parent, name)?.attributes.get('w:val');
}

/** An on/off property: undefined if it is not there, otherwise whether it is on. */
export function toggle(parent: XmlElement | undefined, name: string): boolean | undefined {
  const property = child(parent, name);
  return property && isOn(property);
}

/** Whether an on/off property that is there is on. */
export function isOn(property: XmlElement): boolean {
  const value = property.attributes.get('w:val');
  return value !== '0' && value !== 'false' && value !== 'off' && value !== 'none';
}

/** A non-negative integer in text, or undefined. */
export function integer(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}

/** Makes an element. */
export function element(
  name: string,
  attributes: Record<string, string> = {},
  children: XmlNode[] = [],
): XmlElement {
  return { name, attributes: new Map(Object.entries(attributes)), children };
}

/** Every element under `root`, itself included, in document order. */
export function* descendants(root: XmlElement): Generator<XmlElement> {
  const waiting: XmlElement[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (let index = next.children.length - 1; index >= 0; index -= 1) {
      const node = next.children[index];
      if (node !== undefined && typeof node !== 'string') waiting.push(node);
    }
  }
}

/** All elements of that name under `root`, itself included, in document order. */
export function findAll(root: XmlElement, name: string, found: XmlElement[] = []): XmlElement[] {
  if (root.name === name) found.push(root);
  for (const node of root.children) if (typeof node !== 'string') findAll(node, name, found);
  return found;
}

/** The text directly in an element. */
export function ownText(node: XmlElement): string {
  return node.children.filter((part) => typeof part === 'string').join('');
}
