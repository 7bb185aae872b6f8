import { get, list, pages, urls } from './api.js';
import { h, table } from './dom.js';
import * as format from './format.js';
import { runComposer } from './live-run.js';
import { turnComposer } from './live-turn.js';
import { STRIP_TURNS } from './page-turn.js';
import { meter } from './receipt-parts.js';
import { searchBox } from './search-box.js';
import { stripPicture } from './strip-picture.js';

/** The newest runs are listed. */
const MOST_RUNS = 50;

/** @typedef {import('../src/contract/turn.ts').Turn} Turn */
/** @typedef {import('../src/contract/file.ts').File} File */

/** @param {File} file */
const statusTag = ({ status, stage }) =>
  h(
    'span',
    { class: `tag ${status === 'completed' ? 'good' : status === 'failed' ? 'bad' : ''}` },
    stage ?? status.replace('_', ' '),
  );

/** @param {string} project @param {File[]} files @param {boolean} more */
function filesSection(project, files, more) {
  const number = (/** @type {string} */ text) => ({ text, class: 'number' });
  const rows = files.map((file) => [
    h(
      'span',
      {},
      h('a', { href: pages.file(project, { filename: file.name, source: 'project' }) }, file.name),
      file.last_error && h('span', { class: 'quiet' }, ` ${file.last_error.message}`),
    ),
    statusTag(file),
    file.fidelity ? format.percent(file.fidelity.score) : '',
    format.count(file.chunk_count),
    format.count(file.token_estimate),
    format.bytes(file.bytes),
  ]);
  return h(
    'section',
    { 'aria-labelledby': 'files' },
    h('h2', { id: 'files' }, 'Files'),
    rows.length === 0
      ? h('p', { class: 'quiet' }, 'There are none yet.')
      : table(
          'Files',
          ['Name', 'Status', number('Fidelity'), number('Leaves'), number('Tokens'), number('Size')],
          rows,
        ),
    more && h('p', { class: 'quiet' }, `The first ${files.length} are shown.`),
  );
}

/** @param {string} project @param {Turn[]} turns oldest first */
function turnsSection(project, turns) {
  const most = Math.max(1, ...turns.map(({ context }) => context?.tokens ?? 0));
  const rows = turns
    .toReversed()
    .map((turn) => [
      h(
        'a',
        { href: pages.turn(project, turn.turn_number) },
        `${turn.turn_number}. ${turn.priming ? 'Opening' : clip(turn.message)}`,
      ),
      h('span', { class: `tag ${turn.status === 'failed' ? 'bad' : ''}` }, turn.status.replace('_', ' ')),
      h(
        'span',
        { class: 'spent' },
        meter((turn.context?.tokens ?? 0) / most, 'documents'),
        h('span', {}, format.count(turn.context?.tokens ?? 0)),
      ),
      format.dollars(turn.usage?.cost_usd ?? 0),
    ]);
  return h(
    'section',
    { 'aria-labelledby': 'turns' },
    h('h2', { id: 'turns' }, 'Turns'),
    turns.length > 0
      ? stripPicture(project, turns)
      : h('p', { class: 'quiet' }, 'Nothing has been said yet.'),
    turns.length > 0 &&
      table(
        'Turns',
        ['Message', 'Status', { text: 'Tokens sent', class: 'number' }, { text: 'Cost', class: 'number' }],
        rows,
      ),
  );
}

/** @param {string} project @param {import('../src/contract/research.ts').ResearchRun[]} runs newest first */
const runsSection = (project, runs) =>
  h(
    'section',
    { 'aria-labelledby': 'runs' },
    h('h2', { id: 'runs' }, 'Research'),
    runs.length === 0
      ? h('p', { class: 'quiet' }, 'Nothing has been researched yet.')
      : table(
          'Research runs',
          ['Question', 'Status', { text: 'Steps', class: 'number' }, { text: 'Cost', class: 'number' }],
          runs.map(({ id, question, status, steps, usage }) => [
            h('a', { href: pages.run(project, id) }, clip(question)),
            h('span', { class: `tag ${status === 'failed' ? 'bad' : ''}` }, status.replaceAll('_', ' ')),
            format.count(steps.length),
            format.dollars(usage?.cost_usd ?? 0),
          ]),
        ),
  );

const clip = (/** @type {string} */ text) => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function projectPage({ parts: [id = ''], signal }) {
  const [project, files, turns, runs] = await Promise.all([
    get(urls.project(id), signal),
    list(`${urls.project(id)}/files`, { most: 500, signal }),
    list(`${urls.project(id)}/turns`, { most: STRIP_TURNS, signal, order: 'desc' }),
    list(`${urls.project(id)}/research`, { most: MOST_RUNS, signal, order: 'desc' }),
  ]);
  return {
    title: project.name,
    trail: [],
    content: h(
      'div',
      {},
      h(
        'div',
        { class: 'title' },
        h('h1', {}, project.name),
        h(
          'ul',
          { class: 'facts' },
          h('li', {}, format.plural(project.turn_count, 'turn')),
          h('li', {}, `mode: ${project.active_mode}`),
          h('li', {}, `changed ${format.moment(project.updated_at)}`),
        ),
      ),
      h(
        'div',
        { class: 'stack' },
        filesSection(id, files.data, files.more),
        h('div', { class: 'columns' }, searchBox(id), turnComposer(id, signal)),
        turnsSection(id, turns.data.reverse()),
        h('div', { class: 'columns' }, runsSection(id, runs.data), runComposer(id, signal)),
      ),
    ),
  };
}
