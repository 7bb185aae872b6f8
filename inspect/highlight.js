/** Texts cut where something begins or ends. */

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
