import { call, get, pages, urls } from './api.js';
import { h } from './dom.js';

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function filePage({ parts: [id = '', name = ''], signal }) {
  const [project, markdown] = await Promise.all([
    get(urls.project(id), signal),
    call('GET', `${urls.file(id, name)}/markdown`, { signal }),
  ]);
  return {
    title: name,
    trail: [{ text: project.name, href: pages.project(id) }],
    content: h('div', {}, h('h1', {}, name), h('pre', {}, await markdown.text())),
  };
}
