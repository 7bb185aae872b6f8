import { list, pages } from './api.js';
import { h, table } from './dom.js';
import * as format from './format.js';

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function projectsPage({ signal }) {
  const { data, more } = await list('/projects', { most: 500, signal, order: 'desc' });
  const projects = /** @type {import('../src/contract/project.ts').Project[]} */ (data);
  const rows = projects.map(({ id, name, turn_count: turns, active_mode: mode, updated_at: updated }) => [
    h('a', { href: pages.project(id) }, name),
    format.count(turns),
    mode,
    format.moment(updated),
  ]);
  const none = h('p', {}, 'There is no project yet: POST /projects makes one.');
  return {
    title: 'Projects',
    trail: [],
    content: h(
      'div',
      {},
      h('div', { class: 'title' }, h('h1', {}, 'Projects')),
      h(
        'div',
        { class: 'card' },
        rows.length === 0
          ? none
          : table('Projects', ['Name', { text: 'Turns', class: 'number' }, 'Mode', 'Changed'], rows),
        more && h('p', { class: 'quiet' }, `The newest ${projects.length} are shown.`),
      ),
    ),
  };
}
