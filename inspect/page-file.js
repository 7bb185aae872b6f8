import { call, get, list, pages, Refusal, urls } from './api.js';
import { documentText, goTo, windowOf } from './document-text.js';
import { h } from './dom.js';
import * as format from './format.js';
import { outlineTree } from './outline-tree.js';
import { STRIP_TURNS } from './page-turn.js';

/** @typedef {import('../src/contract/file.ts').File} File */
/** @typedef {import('../src/contract/turn.ts').Turn} Turn */

/** Leaves that are asked for at most: those after them are not marked. */
const MOST_LEAVES = 2_000;

/** What a file that could not be read has not. @template T @param {Promise<T>} asked @returns {Promise<T | null>} */
const ifThere = (asked) =>
  asked.catch((error) => {
    if (error instanceof Refusal && error.code === 'content_not_available') return null;
    throw error;
  });

/** @param {File} file @param {number} shown the version */
function facts(
  { status, fidelity, chunk_count: leaves, token_estimate: tokens, bytes, media_type: type },
  shown,
) {
  return h(
    'ul',
    { class: 'facts' },
    h('li', {}, status.replace('_', ' ')),
    h('li', {}, `version ${shown}`),
    fidelity && h('li', {}, `fidelity ${format.percent(fidelity.score)}`),
    h('li', {}, format.plural(leaves, 'leaf', 'leaves')),
    h('li', {}, format.tokens(tokens)),
    h('li', {}, format.bytes(bytes)),
    h('li', {}, type),
  );
}

/** @param {File} file */
function kept({ fidelity, last_error: error, summary }) {
  const losses = fidelity?.losses ?? [];
  if (!error && losses.length === 0 && summary === null) return null;
  return h(
    'section',
    { class: error ? 'card refusal' : 'card', 'aria-label': 'What became of it' },
    error && h('p', {}, error.message),
    summary !== null && h('p', {}, summary),
    losses.length > 0 &&
      h(
        'ul',
        {},
        ...losses.map(({ kind, count, detail }) =>
          h('li', {}, `Lost: ${format.count(count)} × ${kind}${detail === undefined ? '' : ` (${detail})`}`),
        ),
      ),
  );
}

/** Which turn's citations are shown. @param {string} id @param {string} name @param {Turn[]} turns that cite the file @param {number | null} turn */
function turnChoice(id, name, turns, turn) {
  if (turns.length === 0) return h('p', { class: 'quiet' }, 'No turn cites this file.');
  const options = turns.map(({ turn_number: number, citations }) =>
    h(
      'option',
      { value: number, selected: number === turn },
      `Turn ${number}: ${format.plural(citations.filter((one) => one.filename === name).length, 'citation')}`,
    ),
  );
  const choose = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    location.hash = pages.file(id, name, value === '' ? {} : { turn: Number(value) });
  };
  return h(
    'div',
    { class: 'line' },
    h('label', { for: 'cited-by' }, 'Citations of'),
    h('select', { id: 'cited-by', onchange: choose }, h('option', { value: '' }, 'no turn'), ...options),
  );
}

/** A number of the query. @param {URLSearchParams} query @param {string} name */
const numberOf = (query, name) => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null);

/** @param {string} id @param {string} name @param {URLSearchParams} query @param {AbortSignal} signal */
async function read(id, name, query, signal) {
  const url = urls.file(id, name);
  const [project, file, turns] = await Promise.all([
    get(urls.project(id), signal),
    /** @type {Promise<File>} */ (get(url, signal)),
    list(`${urls.project(id)}/turns`, { most: STRIP_TURNS, signal, order: 'desc' }),
  ]);
  const citing = /** @type {Turn[]} */ (turns.data).filter(({ citations }) =>
    citations.some(({ filename, source }) => filename === name && source === 'project'),
  );
  const turn = numberOf(query, 'turn');
  const cited = (citing.find(({ turn_number: number }) => number === turn)?.citations ?? []).filter(
    ({ filename, source }) => filename === name && source === 'project',
  );
  const marker = numberOf(query, 'marker');
  // the words stand where they stood in the version that was cited
  const target = cited.find((one) => one.marker === marker) ?? cited[0];
  const version = target?.version ?? file.searchable_version;
  const isSearchable = version !== null && version === file.searchable_version;
  const [markdown, outline, leaves] = await Promise.all([
    version === null
      ? null
      : ifThere(
          call('GET', `${url}/markdown?version=${version}`, { signal }).then((answer) => answer.text()),
        ),
    isSearchable ? ifThere(get(`${url}/outline`, signal)) : null,
    isSearchable ? ifThere(list(`${url}/leaves`, { most: MOST_LEAVES, signal })) : null,
  ]);
  const at = numberOf(query, 'at');
  return {
    ...{ project, file, version: version ?? file.version, citing, turn, marker, markdown, at, outline },
    leaves: leaves?.data ?? [],
    citations: cited.filter((one) => one.version === version),
    place: at ?? target?.char_start ?? 0,
  };
}

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function filePage({ parts: [id = '', name = ''], query, signal }) {
  const { project, file, version, citing, turn, marker, markdown, at, leaves, citations, outline, place } =
    await read(id, name, query, signal);
  const { start, end } = windowOf(markdown?.length ?? 0, place);
  const text = markdown?.slice(start, end) ?? '';
  const shown = documentText({ project: id, turn, text, start, leaves, citations, marker, at });
  const tree = outlineTree(outline?.nodes ?? [], (node) => ({
    href: pages.file(id, name, { ...(turn !== null && { turn }), at: node.char_range.start }),
    go: () =>
      node.char_range.start >= start && node.char_range.start < end && goTo(shown, node.char_range.start),
  }));
  const isPart = end - start < (markdown?.length ?? 0);
  return {
    title: name,
    trail: [{ text: project.name, href: pages.project(id) }],
    content: h(
      'article',
      {},
      h('div', { class: 'title' }, h('h1', {}, name), facts(file, version)),
      kept(file),
      markdown !== null && turnChoice(id, name, citing, turn),
      markdown === null
        ? h('p', { class: 'card quiet' }, 'There is no text of it to be read.')
        : h(
            'div',
            { class: 'reading' },
            h(
              'nav',
              { class: 'outline', 'aria-label': 'Outline' },
              tree ?? h('p', { class: 'quiet' }, 'There is no outline.'),
            ),
            h(
              'section',
              { class: 'card', 'aria-label': 'Text' },
              isPart &&
                h(
                  'p',
                  { class: 'quiet' },
                  `Characters ${format.count(start)} to ${format.count(end)} of ${format.count(markdown.length)}; the outline leads to the others.`,
                ),
              shown,
            ),
          ),
    ),
  };
}
