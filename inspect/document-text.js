import { h } from './dom.js';
import { pieces } from './highlight.js';

/** @typedef {{ char_start: number, char_end: number, leaf_index: number, tokens: number }} Leaf */
/** @typedef {{ char_start: number, char_end: number, marker: number }} Cited */

/** Characters that are laid out at a time. */
export const WINDOW = 200_000;

/**
 * Which part of a long text is shown.
 *
 * @param {number} length of the text
 * @param {number} at what is to be seen
 * @returns {{ start: number, end: number }}
 */
export function windowOf(length, at) {
  if (length <= WINDOW) return { start: 0, end: length };
  const start = Math.max(0, Math.min(at - WINDOW / 2, length - WINDOW));
  return { start, end: start + WINDOW };
}

const rangeOf = (
  /** @type {{ char_start: number, char_end: number }} */ { char_start: start, char_end: end },
) => ({
  start,
  end,
});

/**
 * @typedef {object} Shown
 * @property {{ href: string, title: string } | null} by whose citations these are
 * @property {string} text of the part that is shown
 * @property {number} start where that part begins
 * @property {readonly Leaf[]} leaves
 * @property {readonly Cited[]} citations
 * @property {number | null} marker of the citation to go to
 * @property {number | null} at the place to go to
 */

/** @param {Shown} shown @param {import('./highlight.js').Piece} piece */
function citedPiece({ by, citations, marker }, { text, start, marks }) {
  const cited = marks.flatMap((mark) => citations[mark] ?? []);
  if (cited.length === 0) return text;
  const begins = cited.filter((one) => one.char_start === start);
  const isTarget = begins.some((one) => one.marker === marker);
  return h(
    'mark',
    { 'data-target': isTarget },
    ...begins.map((one) =>
      by === null ? `[${one.marker}]` : h('a', { class: 'marker', ...by }, `[${one.marker}]`),
    ),
    text,
  );
}

/**
 * The Markdown of a file, leaf by leaf, with what a turn or a run cites of it.
 *
 * @param {Shown} shown
 */
export function documentText(shown) {
  const { text, start: from, leaves, citations, at } = shown;
  const blocks = pieces(text, leaves.map(rangeOf), from).map(({ text: block, start, marks }) => {
    const leaf = leaves[marks[0] ?? -1];
    if (leaf === undefined && block.trim() === '') return null;
    const isTarget = at !== null && start <= at && at < start + block.length;
    return h(
      'div',
      {
        class: leaf ? 'leaf' : 'between',
        'data-leaf': leaf && `${leaf.leaf_index}`,
        'data-start': start,
        'data-target': isTarget,
        title: leaf && `Leaf ${leaf.leaf_index}, ${leaf.tokens} tokens`,
        tabindex: -1,
      },
      ...pieces(block, citations.map(rangeOf), start).map((piece) => citedPiece(shown, piece)),
    );
  });
  return h('div', { class: 'markdown' }, ...blocks);
}

/**
 * Goes to a place in a text that is shown.
 *
 * @param {HTMLElement} element
 * @param {number} at
 * @returns {boolean} whether it is part of what is shown
 */
export function goTo(element, at) {
  const blocks = /** @type {HTMLElement[]} */ ([...element.querySelectorAll('[data-start]')]);
  const block = blocks.findLast((one) => Number(one.dataset.start) <= at);
  if (!block) return false;
  block.scrollIntoView({ block: 'start' });
  block.focus({ preventScroll: true });
  return true;
}
