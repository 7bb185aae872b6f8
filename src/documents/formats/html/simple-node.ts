import type { HtmlNode } from '../to-markdown/html-node.ts';

const ELEMENT = 1;
const TEXT = 3;

/** An element or a text of the simplified page, in the dialect of HTML that is written as Markdown. */
export class SimpleNode implements HtmlNode {
  readonly nodeName: string;
  nodeValue: string | null;
  parentNode: SimpleNode | null = null;
  firstChild: SimpleNode | null = null;
  lastChild: SimpleNode | null = null;
  nextSibling: SimpleNode | null = null;
  previousSibling: SimpleNode | null = null;
  readonly #attributes: Readonly<Record<string, string>> | undefined;

  private constructor(name: string, value: string | null, attributes?: Readonly<Record<string, string>>) {
    this.nodeName = name;
    this.nodeValue = value;
    this.#attributes = attributes;
  }

  /** @param name in upper case */
  static element(name: string, attributes?: Readonly<Record<string, string>>): SimpleNode {
    return new SimpleNode(name, null, attributes);
  }

  static text(value: string): SimpleNode {
    return new SimpleNode('#text', value);
  }

  /** A `<span>` whose class says what its text is: `image`, `label`. */
  static span(className: string, text: string): SimpleNode {
    const span = SimpleNode.element('SPAN', { class: className });
    span.append(SimpleNode.text(text));
    return span;
  }

  append(child: SimpleNode): void {
    child.parentNode = this;
    child.previousSibling = this.lastChild;
    if (this.lastChild === null) this.firstChild = child;
    else this.lastChild.nextSibling = child;
    this.lastChild = child;
  }

  prepend(child: SimpleNode): void {
    child.parentNode = this;
    child.nextSibling = this.firstChild;
    if (this.firstChild === null) this.lastChild = child;
    else this.firstChild.previousSibling = child;
    this.firstChild = child;
  }

  getAttribute(name: string): string | null {
    return this.#attributes?.[name] ?? null;
  }

  get nodeType(): number {
    return this.nodeValue === null ? ELEMENT : TEXT;
  }

  /** All text inside. Simplified pages are shallow. */
  get textContent(): string {
    if (this.nodeValue !== null) return this.nodeValue;
    let text = '';
    for (let child = this.firstChild; child !== null; child = child.nextSibling) text += child.textContent;
    return text;
  }
}
