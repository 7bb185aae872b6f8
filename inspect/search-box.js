import { pages, post, urls } from './api.js';
import { h, table } from './dom.js';
import * as format from './format.js';
import { meter } from './receipt-parts.js';

/** @typedef {import('../src/contract/passage.ts').DocumentPassage} DocumentPassage */
/** @typedef {import('../src/contract/passage.ts').TurnPassage} TurnPassage */
/** @typedef {import('../src/contract/passage.ts').Ranking & { leaf_id?: string }} Ranking */

const LIMIT = 8;
const SHOWN = 360;

const clip = (/** @type {string} */ text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** @param {Ranking[]} rankings */
function explained(rankings) {
  const number = (/** @type {string} */ text) => ({ text, class: 'number' });
  const place = (/** @type {number | null} */ rank, /** @type {number | null} */ value) =>
    rank === null ? '–' : `${rank}. (${(value ?? 0).toFixed(2)})`;
  return h(
    'details',
    {},
    h('summary', { class: 'quiet' }, 'Why it is here'),
    table(
      'Places in each ranking',
      ['Found by', number('By meaning'), number('By words'), number('Together')],
      rankings.map((one) => [
        h('code', {}, one.leaf_id ?? 'the turn'),
        place(one.dense_rank, one.dense_score),
        place(one.lexical_rank, one.lexical_score),
        one.fused_score.toFixed(4),
      ]),
    ),
  );
}

/** @param {string} project @param {DocumentPassage | TurnPassage} found */
function hit(project, found) {
  const isTurn = found.kind === 'turn';
  const rankings = isTurn ? (found.explain ? [found.explain] : []) : (found.explain?.leaves ?? []);
  const link = isTurn
    ? h('a', { href: pages.turn(project, found.turn_number) }, `Turn ${found.turn_number}`)
    : h(
        'a',
        { href: pages.file(project, found, { at: found.char_start }) },
        found.header_path.at(-1) ?? found.filename,
      );
  const where = isTurn ? found.message : [found.filename, ...found.header_path.slice(0, -1)].join(' › ');
  return h(
    'li',
    { class: 'passage' },
    h('div', { class: 'line' }, link),
    h('p', { class: 'quiet path' }, clip(where)),
    h(
      'div',
      { class: 'scored two' },
      meter(found.score, isTurn ? 'turns' : 'documents'),
      h('span', { class: 'figure' }, format.score(found.score)),
    ),
    h('p', { class: 'snippet' }, clip(isTurn ? found.response : found.text)),
    explained(rankings),
  );
}

/** @param {string} id @param {string} label @param {boolean} checked */
function choice(id, label, checked) {
  const input = h('input', { type: 'checkbox', id, checked });
  return { input, element: h('label', { class: 'choice', for: id }, input, label) };
}

/**
 * Searches a project, and shows why each hit is where it is.
 *
 * @param {string} project
 */
export function searchBox(project) {
  const input = h('input', { id: 'query', type: 'search', class: 'wide', maxlength: 8_000, required: true });
  const documents = choice('in-documents', 'Documents', true);
  const turns = choice('in-turns', 'Earlier turns', false);
  const said = h('p', { class: 'quiet', role: 'status' });
  const results = h('ol', { class: 'passages' });
  const search = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const kinds = [
      ...(documents.input.checked ? ['documents'] : []),
      ...(turns.input.checked ? ['turns'] : []),
    ];
    if (input.value.trim() === '' || kinds.length === 0) return;
    said.textContent = 'Searching …';
    try {
      const body = { query: input.value, kinds, limit: LIMIT, explain: true };
      /** @type {import('zod').infer<typeof import('../src/contract/passage.ts').searchAnswerSchema>} */
      const answer = await post(`${urls.project(project)}/search`, body);
      const likeliest =
        answer.data.length === 0 && answer.likeliest_file !== null
          ? ` The likeliest file is ${answer.likeliest_file}.`
          : '';
      said.textContent = `${answer.data.length} of ${format.plural(answer.considered, 'section')}, ${format.count(answer.below_floor)} below ${format.score(answer.min_score)}; ${answer.strategy}, ${format.milliseconds(answer.latency_ms)}.${likeliest}`;
      results.replaceChildren(...answer.data.map((found) => hit(project, found)));
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error);
      results.replaceChildren();
    }
  };
  return h(
    'section',
    { 'aria-labelledby': 'search' },
    h('h2', { id: 'search' }, 'Search'),
    h(
      'form',
      { role: 'search', onsubmit: search },
      h('label', { for: 'query' }, 'What is looked for'),
      input,
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'submit' }, 'Search'),
        documents.element,
        turns.element,
      ),
    ),
    said,
    results,
  );
}
