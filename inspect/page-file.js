import { call, get, list, pages, Refusal, urls } from './api.js';
import { documentText, goTo, windowOf } from './document-text.js';
import { h } from './dom.js';
import * as format from './format.js';
import { outlineTree } from './outline-tree.js';
import { STRIP_TURNS } from './page-turn.js';

/** @typedef {import('../src/contract/file.ts').File} File */
/** @typedef {import('../src/contract/turn.ts').Turn} Turn */
/** @typedef {import('../src/contract/citation.ts').Citation} Citation */
/** @typedef {{ project: string | null, file: { filename: string, source: 'project' | 'library' } }} Place a file, and the project that it is looked at from */

/** Whether something is cited of a file. @param {Place['file']} file */
const isOf =
  (file) =>
  (/** @type {Citation} */ { filename, source }) =>
    filename === file.filename && source === file.source;

/** Leaves that are asked for at most: those after them are not marked. */
const MOST_LEAVES = 2_000;

/** What a file that could not be read has not. @template T @param {Promise<T>} asked @returns {Promise<T | null>} */
const ifThere = (asked) =>
  asked.catch((error) => {
    if (error instanceof Refusal && error.code === 'content_not_available') return null;
    throw error;
  });

/** @param {File} file @param {number} shown the version @param {Place['file']['source']} source */
function facts(
  { status, fidelity, chunk_count: leaves, token_estimate: tokens, bytes, media_type: type },
  shown,
  source,
) {
  return h(
    'ul',
    { class: 'facts' },
    source === 'library' && h('li', {}, 'of the library'),
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

/** Which turn's citations are shown. @param {Place} place @param {Turn[]} turns that cite the file @param {number | null} turn */
function turnChoice({ project, file }, turns, turn) {
  if (turns.length === 0) return h('p', { class: 'quiet' }, 'No turn cites this file.');
  const options = turns.map(({ turn_number: number, citations }) =>
    h(
      'option',
      { value: number, selected: number === turn },
      `Turn ${number}: ${format.plural(citations.filter(isOf(file)).length, 'citation')}`,
    ),
  );
  const choose = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    location.hash = pages.file(project, file, value === '' ? {} : { turn: Number(value) });
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

/**
 * Who cites the file: the turns that do, and the one turn or run whose citations are to be shown.
 *
 * @param {Place} place
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 */
async function readCiting({ project, file }, query, signal) {
  const [turn, run] = [numberOf(query, 'turn'), query.get('run')];
  /** @type {{ citing: Turn[], turn: number | null, cited: Citation[], by: { href: string, title: string } | null }} */
  const found = { citing: [], turn, cited: [], by: null };
  if (project === null) return found;
  const turns = await list(`${urls.project(project)}/turns`, { most: STRIP_TURNS, signal, order: 'desc' });
  found.citing = turns.data.filter(({ citations }) => citations.some(isOf(file)));
  if (run !== null) {
    found.cited = (await get(urls.run(project, run), signal)).citations.filter(isOf(file));
    found.by = { href: pages.run(project, run), title: 'The research run' };
  } else if (turn !== null) {
    const one = found.citing.find(({ turn_number: number }) => number === turn);
    found.cited = (one?.citations ?? []).filter(isOf(file));
    found.by = { href: pages.turn(project, turn), title: `Turn ${turn}` };
  }
  return found;
}

/** @param {Place} place @param {URLSearchParams} query @param {AbortSignal} signal */
async function read(place, query, signal) {
  const { project: id, file: named } = place;
  const url = urls.file(named.source === 'library' ? null : id, named.filename);
  const [project, file, { citing, turn, cited, by }] = await Promise.all([
    id === null ? null : get(urls.project(id), signal),
    /** @type {Promise<File>} */ (get(url, signal)),
    readCiting(place, query, signal),
  ]);
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
    ...{ project, file, version: version ?? file.version, citing, turn, by, marker, markdown, at, outline },
    leaves: leaves?.data ?? [],
    citations: cited.filter((one) => one.version === version),
    position: at ?? target?.char_start ?? 0,
  };
}

/** @typedef {import('./main.js').Asked} Asked */
/** @typedef {import('./main.js').Page} Page */

/** @param {Asked} asked @returns {Promise<Page>} */
export const filePage = ({ parts: [id = '', filename = ''], query, signal }) =>
  pageOf({ project: id, file: { filename, source: 'project' } }, query, signal);

/** A file that all projects share; the project that it was come from is in the query. @param {Asked} asked @returns {Promise<Page>} */
export const libraryFilePage = ({ parts: [filename = ''], query, signal }) =>
  pageOf({ project: query.get('project'), file: { filename, source: 'library' } }, query, signal);

/** @param {Place} place @param {URLSearchParams} query @param {AbortSignal} signal @returns {Promise<Page>} */
async function pageOf(place, query, signal) {
  const { project, file, version, citing, turn, by, marker, markdown, at, leaves, citations, ...rest } =
    await read(place, query, signal);
  const { start, end } = windowOf(markdown?.length ?? 0, rest.position);
  const text = markdown?.slice(start, end) ?? '';
  const shown = documentText({ by, text, start, leaves, citations, marker, at });
  const { filename: name, source } = place.file;
  const run = query.get('run');
  const whose = { ...(turn !== null && { turn }), ...(run !== null && { run }) };
  const tree = outlineTree(rest.outline?.nodes ?? [], (node) => ({
    href: pages.file(place.project, place.file, { ...whose, at: node.char_range.start }),
    go: () =>
      node.char_range.start >= start && node.char_range.start < end && goTo(shown, node.char_range.start),
  }));
  const isPart = end - start < (markdown?.length ?? 0);
  return {
    title: name,
    trail: project === null ? [] : [{ text: project.name, href: pages.project(project.id) }],
    content: h(
      'article',
      {},
      h('div', { class: 'title' }, h('h1', {}, name), facts(file, version, source)),
      kept(file),
      markdown !== null && project !== null && turnChoice(place, citing, turn),
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
