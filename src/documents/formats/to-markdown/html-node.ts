/** The little of the DOM that turndown hands to a rule and that the rules read. */
export interface HtmlNode {
  nodeName: string;
  nodeType: number;
  nodeValue: string | null;
  textContent: string | null;
  className?: string;
  firstChild: HtmlNode | null;
  nextSibling: HtmlNode | null;
  previousSibling: HtmlNode | null;
  parentNode: HtmlNode | null;
  getAttribute(name: string): string | null;
}

export function* childNodes(node: HtmlNode): Generator<HtmlNode> {
  for (let next = node.firstChild; next !== null; next = next.nextSibling) yield next;
}

/** All elements of one of these names (upper case) under a node. */
export function* within(node: HtmlNode, names: ReadonlySet<string>): Generator<HtmlNode> {
  for (const next of childNodes(node)) {
    if (names.has(next.nodeName)) yield next;
    yield* within(next, names);
  }
}

export function hasClass(node: HtmlNode, name: string): boolean {
  return node.nodeName === 'SPAN' && node.getAttribute('class') === name;
}
