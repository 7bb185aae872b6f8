/**
 * Elements by hand. Whatever comes out of documents, models and names of files is hostile: it becomes a text node or the
 * value of an attribute, never markup.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = 'http://www.w3.org/2000/svg';
/** Attributes whose value the browser would follow or run: a link may lead within the page only. */
const isSafeLink = (/** @type {unknown} */ value) => typeof value === 'string' && value.startsWith('#');

/**
 * @param {Element} element
 * @param {Record<string, unknown>} props handlers by `onclick` and the like, everything else as attributes
 */
function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name !== 'href' || isSafeLink(value)) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function addChildren(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === 'number' ? String(child) : child);
  }
}

/**
 * An element of HTML; what is null, undefined or false is left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setProps(element, props);
  addChildren(element, children);
  return element;
}

/**
 * The same of SVG.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  setProps(element, props);
  addChildren(element, children);
  return element;
}

let pictures = 0;

/**
 * A picture with its name and what it shows in words, for those who cannot see it.
 *
 * @param {{ title: string, description: string, height: number, class?: string, role?: string }} picture `height` in CSS pixels
 * @param {...Child} children
 */
export function picture({ title, description, height, role = 'img', class: className }, ...children) {
  pictures += 1;
  const [titleId, descriptionId] = [`picture-${pictures}`, `picture-${pictures}-description`];
  return svg(
    'svg',
    {
      role,
      class: className,
      width: '100%',
      height,
      'aria-labelledby': titleId,
      'aria-describedby': descriptionId,
    },
    svg('title', { id: titleId }, title),
    svg('desc', { id: descriptionId }, description),
    ...children,
  );
}

/**
 * A table with its head; rows are lists of cells.
 *
 * @param {string} caption
 * @param {(string | { text: string, class: string })[]} head
 * @param {Child[][]} rows
 */
export function table(caption, head, rows) {
  const classOf = head.map((one) => (typeof one === 'string' ? undefined : one.class));
  const cells = (/** @type {Child[]} */ row) =>
    row.map((cell, at) =>
      at === 0
        ? h('th', { scope: 'row', class: classOf[at] }, cell)
        : h('td', { class: classOf[at], 'data-label': labelOf(head[at]) }, cell),
    );
  return h(
    'table',
    {},
    h('caption', { class: 'hidden' }, caption),
    h(
      'thead',
      {},
      h('tr', {}, ...head.map((one, at) => h('th', { scope: 'col', class: classOf[at] }, labelOf(one)))),
    ),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row)))),
  );
}

/** @param {string | { text: string } | undefined} head */
const labelOf = (head) => (typeof head === 'object' ? head.text : (head ?? ''));
