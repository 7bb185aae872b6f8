import { get, list, pages, Refusal, urls } from './api.js';
import { budgetPicture } from './budget-picture.js';
import { h } from './dom.js';
import * as format from './format.js';
import { liveTurn } from './live-turn.js';
import { droppedRows, passageRows, sectionRows, timeRows, usageRows } from './receipt-parts.js';
import { replyText } from './reply.js';
import { stripPicture } from './strip-picture.js';

/** @typedef {import('../src/contract/turn.ts').Turn} Turn */
/** @typedef {import('../src/contract/receipt.ts').Receipt} Receipt */

/** How many turns the strip shows: the last ones. */
export const STRIP_TURNS = 100;

/** @param {Turn} turn @param {Receipt | null} receipt */
const facts = (turn, receipt) =>
  h(
    'ul',
    { class: 'facts' },
    h('li', {}, turn.status),
    receipt && h('li', {}, `${format.count(receipt.tokens)} of ${format.tokens(receipt.budget)}`),
    turn.usage && h('li', {}, format.dollars(turn.usage.cost_usd)),
    turn.timings_ms?.total !== undefined && h('li', {}, format.milliseconds(turn.timings_ms.total)),
    turn.model !== null && h('li', {}, `answered by ${turn.model}`),
    h('li', {}, format.moment(turn.created_at)),
  );

/** @param {string} project @param {Turn} turn */
function conversation(project, turn) {
  const { routing, error } = turn;
  return h(
    'section',
    { 'aria-labelledby': 'exchange' },
    h('h2', { id: 'exchange' }, 'Message and reply'),
    turn.priming
      ? h('p', { class: 'quiet' }, 'The copilot opened the project.')
      : h('p', { class: 'said' }, turn.message),
    turn.response !== null && replyText(project, { turn: turn.turn_number }, turn.response, turn.citations),
    error && h('p', { class: 'refusal' }, `${error.code}: ${error.detail}`),
    routing &&
      h(
        'p',
        { class: 'quiet' },
        `Routed by ${routing.source}: ${routing.action}${routing.next_probe === null ? '' : `, probe ${routing.next_probe}`}. ${routing.reason}`,
      ),
  );
}

/** @param {string} project @param {number} number @param {AbortSignal} signal @returns {Promise<Receipt | null>} */
async function receiptOf(project, number, signal) {
  try {
    return await get(`${urls.turn(project, number)}/context`, signal);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'content_not_available') return null;
    throw error;
  }
}

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function turnPage({ parts: [id = '', n = ''], signal }) {
  const number = Number(n);
  const [project, turn, turns] = await Promise.all([
    get(urls.project(id), signal),
    /** @type {Promise<Turn>} */ (get(urls.turn(id, number), signal)),
    list(`${urls.project(id)}/turns`, { most: STRIP_TURNS, signal, order: 'desc' }),
  ]);
  const hasEnded = turn.status !== 'in_progress';
  const receipt = hasEnded && turn.context !== null ? await receiptOf(id, number, signal) : null;
  return {
    title: `Turn ${number}`,
    trail: [{ text: project.name, href: pages.project(id) }],
    content: h(
      'article',
      {},
      h('div', { class: 'title' }, h('h1', {}, `Turn ${number}`), facts(turn, receipt)),
      stripPicture(id, turns.data.reverse(), number),
      receipt
        ? h('section', { class: 'card', 'aria-label': 'The budget' }, budgetPicture(receipt))
        : noReceipt(id, turn, signal),
      h(
        'div',
        { class: 'columns' },
        h('div', {}, conversation(id, turn), receipt && passageRows(id, receipt, turn.citations)),
        receipt &&
          h('div', {}, sectionRows(receipt), droppedRows(receipt), timeRows(receipt), usageRows(receipt)),
      ),
    ),
  };
}

/** A turn that is under way is shown as it happens, and with its receipt when it has ended. @param {string} id @param {Turn} turn @param {AbortSignal} signal */
function noReceipt(id, turn, signal) {
  if (turn.status !== 'in_progress') {
    return h(
      'p',
      { class: 'card quiet' },
      'This turn has no receipt: it ended before its prompt was put together, or the receipt was removed after its time.',
    );
  }
  const live = liveTurn(id, signal);
  const again = () => !signal.aborted && dispatchEvent(new Event('hashchange'));
  live.follow({ turn: turn.turn_number }).then(again, again);
  return h('section', { class: 'card', 'aria-label': 'As it happens' }, live.element);
}
