/** Texts cut where something begins or ends. Places are UTF-16 code units, as everywhere in the API and in JavaScript. */

/**
 * @typedef {{ start: number, end: number }} Range `end` is exclusive
 * @typedef {{ text: string, start: number, marks: number[] }} Piece `marks`: the numbers of the ranges that hold it
 */

/** Whether a cut here would part the two halves of a character outside the basic plane. */
const partsCharacter = (/** @type {string} */ text, /** @type {number} */ at) =>
  /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');

/**
 * Cuts a text into pieces, each of which lies in the same ranges as a whole. Ranges may overlap, and reach beyond the text.
 *
 * @param {string} text
 * @param {readonly Range[]} ranges
 * @param {number} [offset] where the text begins in what the ranges are of
 * @returns {Piece[]} in order, all of the text
 */
export function pieces(text, ranges, offset = 0) {
  const local = ranges.map(({ start, end }) => ({
    start: inside(text, start - offset),
    end: inside(text, end - offset),
  }));
  const cuts = [...new Set([0, text.length, ...local.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((start, at) => ({
    text: text.slice(start, cuts[at + 1]),
    start: start + offset,
    marks: local.flatMap((range, number) =>
      range.start <= start && range.end > start && range.start < range.end ? [number] : [],
    ),
  }));
}

/** @param {string} text @param {number} at */
function inside(text, at) {
  const place = Math.min(Math.max(at, 0), text.length);
  return partsCharacter(text, place) ? place - 1 : place;
}

/**
 * A reply, cut at its markers `[1]`.
 *
 * @param {string} reply
 * @param {readonly number[]} known the markers that lead somewhere; others stay text
 * @returns {({ text: string } | { marker: number })[]}
 */
export function atMarkers(reply, known) {
  return reply
    .split(/(\[\d+\])/)
    .filter((part) => part !== '')
    .map((part) => {
      const marker = Number(/^\[(\d+)\]$/.exec(part)?.[1] ?? Number.NaN);
      return known.includes(marker) ? { marker } : { text: part };
    });
}
