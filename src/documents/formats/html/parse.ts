import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { ConversionError } from '../converted.ts';

export type Element = Tree.Element;
export type Parent = Tree.ParentNode;
export type Child = Tree.ChildNode;

/**
 * Most elements of a page; 25 MB of prose have half a million, of a table a million. The tree of so many stays within the memory of a
 * conversion, and formatting that is never closed, which the standard repeats in every paragraph, comes to an end.
 */
const MOST_ELEMENTS = 1_250_000;

/** What is read of elements, and what the parser itself needs (`encoding`); the rest may be long. */
const ATTRIBUTES = new Set([
  'alt',
  'checked',
  'class',
  'colspan',
  'data-lang',
  'data-language',
  'encoding',
  'height',
  'hidden',
  'href',
  'open',
  'role',
  'rowspan',
  'start',
  'style',
  'type',
  'value',
  'width',
]);

/** The package's own tree without comments, which nobody reads, and with small lists of children. */
function createAdapter(): typeof defaultTreeAdapter {
  let elements = 0;
  const appendChild = (parent: Parent, child: Child): void => {
    if (defaultTreeAdapter.isCommentNode(child)) return;
    // A list that starts with its first child has no room to spare: most elements have one.
    if (parent.childNodes.length === 0) parent.childNodes = [child];
    else parent.childNodes.push(child);
    child.parentNode = parent;
  };
  return {
    ...defaultTreeAdapter,
    appendChild,
    createElement(name, namespace, attributes) {
      elements += 1;
      if (elements > MOST_ELEMENTS) throw tooManyElements();
      const read = attributes.filter((attribute) => ATTRIBUTES.has(attribute.name));
      return defaultTreeAdapter.createElement(name, namespace, read);
    },
    insertText(parent, text) {
      const last = parent.childNodes.at(-1);
      if (last && defaultTreeAdapter.isTextNode(last)) last.value += text;
      else appendChild(parent, defaultTreeAdapter.createTextNode(text));
    },
  };
}

function tooManyElements(): ConversionError {
  return new ConversionError(
    'conversion_memory',
    `The page has more than ${MOST_ELEMENTS.toLocaleString('en')} elements, which is more than can be read at once. Split it into several files.`,
  );
}

/**
 * The tree that a browser makes of a page, scripts being on: what is broken is mended by the HTML standard's rules, and
 * nothing is refused.
 *
 * @throws ConversionError `conversion_memory` for a page of more elements than can be held
 */
export function parseHtml(html: string): Parent {
  return parse(html, { treeAdapter: createAdapter() });
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** What is done when everything in an element was visited. */
export type Leave = () => void;

/** What a walk does with what it meets. */
export interface Visitor {
  /** `'skip'` leaves out what is inside; a function is called behind it. */
  element(element: Element): Leave | 'skip' | undefined;
  text(value: string): void;
}

/**
 * Visits everything under a node in the order of the document. Pages may nest to any depth, so it does not call itself.
 *
 * @param releases whether what was visited is taken out of the tree, which makes room for what is made of it
 */
export function walk(root: Parent, visitor: Visitor, releases = false): void {
  const open: { parent: Parent; next: number; leave: Leave | undefined }[] = [
    { parent: root, next: 0, leave: undefined },
  ];
  for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
    const child = here.parent.childNodes[here.next];
    here.next += 1;
    if (child === undefined) {
      open.pop();
      here.leave?.();
      if (releases) here.parent.childNodes = [];
    } else if (defaultTreeAdapter.isTextNode(child)) {
      visitor.text(child.value);
    } else if (defaultTreeAdapter.isElementNode(child)) {
      const leave = visitor.element(child);
      if (leave !== 'skip') open.push({ parent: child, next: 0, leave });
    }
  }
}
