import { h } from './dom.js';

/** @typedef {import('../src/contract/outline.ts').Outline['nodes'][number]} Node */

/**
 * An outline as lists in lists.
 *
 * @param {readonly Node[]} nodes in document order
 * @param {(node: Node) => { href: string, go: () => boolean }} linkOf `go`: goes there on this page; false: the link has to
 * @returns {HTMLElement | null} null: there is nothing
 */
export function outlineTree(nodes, linkOf) {
  /** @type {Map<string | null, Node[]>} */
  const below = new Map();
  for (const node of nodes) below.set(node.parent_id, [...(below.get(node.parent_id) ?? []), node]);
  /** @param {string | null} parent @returns {HTMLElement | null} */
  const branch = (parent) => {
    const children = below.get(parent) ?? [];
    if (children.length === 0) return null;
    return h(
      'ul',
      {},
      ...children.map((node) => {
        const { href, go } = linkOf(node);
        const follow = (/** @type {Event} */ event) => go() && event.preventDefault();
        return h(
          'li',
          {},
          h('a', { href, onclick: follow, title: node.blurb ?? undefined }, node.text),
          branch(node.id),
        );
      }),
    );
  };
  return branch(null);
}
