import { keyInUse, pages, Refusal, useKey } from './api.js';
import { h } from './dom.js';
import { filePage, libraryFilePage } from './page-file.js';
import { projectPage } from './page-project.js';
import { projectsPage } from './page-projects.js';
import { runPage } from './page-run.js';
import { turnPage } from './page-turn.js';

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {{ text: string, href: string }[]} trail the pages above
 * @property {HTMLElement} content
 * @typedef {object} Asked
 * @property {string[]} parts of the address, decoded
 * @property {URLSearchParams} query
 * @property {AbortSignal} signal aborted when another page is opened
 */

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const trail = /** @type {HTMLElement} */ (document.getElementById('trail'));
const said = /** @type {HTMLElement} */ (document.getElementById('said'));

/** @type {{ pattern: RegExp, open: (asked: Asked) => Promise<Page> }[]} */
const ROUTES = [
  { pattern: /^\/projects\/([^/]+)\/turns\/([1-9]\d{0,8})$/, open: turnPage },
  { pattern: /^\/projects\/([^/]+)\/files\/([^/]+)$/, open: filePage },
  { pattern: /^\/projects\/([^/]+)\/research\/([^/]+)$/, open: runPage },
  { pattern: /^\/library\/files\/([^/]+)$/, open: libraryFilePage },
  { pattern: /^\/projects\/([^/]+)$/, open: projectPage },
  { pattern: /^\/?$/, open: projectsPage },
];

/** @param {string} hash @param {AbortSignal} signal @returns {Promise<Page>} */
async function open(hash, signal) {
  const [path = '', query] = hash.replace(/^#/, '').split('?');
  for (const { pattern, open: page } of ROUTES) {
    const match = pattern.exec(path);
    if (match)
      return page({
        parts: match.slice(1).map(decodeURIComponent),
        query: new URLSearchParams(query),
        signal,
      });
  }
  throw new Error('There is no such page.');
}

/** The service asks who is there. @returns {Page} */
function keyPage() {
  const input = h('input', {
    id: 'key',
    type: 'password',
    class: 'wide',
    autocomplete: 'off',
    required: true,
  });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    useKey(input.value.trim());
    void show();
  };
  const why =
    keyInUse() === null
      ? 'This service asks for a key.'
      : 'This key does not open the service, or not this page of it.';
  return {
    title: 'Key',
    trail: [],
    content: h(
      'form',
      { class: 'card', onsubmit: enter },
      h('h1', {}, 'Key'),
      h('p', {}, why),
      h('label', { for: 'key' }, 'API key'),
      input,
      h('p', { class: 'quiet' }, 'It is kept in this tab, until the tab is closed.'),
      h('button', { type: 'submit' }, 'Open'),
    ),
  };
}

/** @param {unknown} error @returns {Page} */
function failurePage(error) {
  if (error instanceof Refusal && (error.status === 401 || error.status === 403)) return keyPage();
  const detail = error instanceof Error ? error.message : String(error);
  return {
    title: 'Not to be shown',
    trail: [],
    content: h(
      'div',
      { class: 'card refusal' },
      h('h1', {}, 'This cannot be shown'),
      h('p', {}, detail),
      h('p', {}, h('a', { href: pages.projects }, 'All projects')),
    ),
  };
}

let shown = new AbortController();

/** Shows the page that the address names. */
async function show() {
  shown.abort();
  const turn = new AbortController();
  shown = turn;
  main.setAttribute('aria-busy', 'true');
  const page = await open(location.hash, turn.signal).catch(failurePage);
  if (turn.signal.aborted) return;
  document.title = `${page.title} · Forge`;
  trail.replaceChildren(...page.trail.map(({ text, href }) => h('a', { href }, text)));
  main.replaceChildren(page.content);
  main.removeAttribute('aria-busy');
  said.textContent = page.title;
  const target = main.querySelector('[data-target]');
  if (target) target.scrollIntoView({ block: 'center' });
  else scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

document.querySelector('.skip')?.addEventListener('click', (event) => {
  // the address names the page, and stays
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => void show());
void show();
