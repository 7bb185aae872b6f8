import { pages } from './api.js';
import { h } from './dom.js';
import { atMarkers } from './highlight.js';

/** @typedef {import('../src/contract/citation.ts').Citation} Citation */

/**
 * A reply as it was written; its markers lead to the text that they cite.
 *
 * @param {string} project
 * @param {{ turn: number } | { run: string }} by what it is the reply of
 * @param {string} text
 * @param {readonly Citation[]} citations
 */
export function replyText(project, by, text, citations) {
  const known = citations.map(({ marker }) => marker);
  return h(
    'div',
    { class: 'reply' },
    ...atMarkers(text, known).map((part) =>
      'text' in part
        ? h('span', {}, ...emphasised(part.text))
        : markerLink(project, by, part.marker, citations),
    ),
  );
}

/** What stands between two asterisks and two more, as most models write it, stands out. @param {string} text */
const emphasised = (text) =>
  text.split(/\*\*(\S(?:[^*\n]*\S)?)\*\*/).map((part, at) => (at % 2 === 1 ? h('strong', {}, part) : part));

/** @param {string} project @param {{ turn: number } | { run: string }} by @param {number} marker @param {readonly Citation[]} citations */
function markerLink(project, by, marker, citations) {
  const cited = citations.find((one) => one.marker === marker);
  if (cited === undefined) return h('span', { class: 'marker' }, `[${marker}]`);
  const path = [cited.filename, ...cited.header_path].join(' › ');
  const where = cited.source === 'library' ? `Library: ${path}` : path;
  return h(
    'a',
    {
      class: cited.support === 'unsupported' ? 'marker doubtful' : 'marker',
      href: pages.file(project, cited, { ...by, marker }),
      title: where,
      'aria-label': `Citation ${marker}: ${where}`,
    },
    `[${marker}]`,
  );
}
