import { get, pages, urls } from './api.js';
import { h } from './dom.js';
import * as format from './format.js';
import { inputLine, liveRun } from './live-run.js';
import { usageRows } from './receipt-parts.js';
import { replyText } from './reply.js';

/** @typedef {import('../src/contract/research.ts').ResearchRun} ResearchRun */

/** @param {ResearchRun} run */
const facts = ({ status, steps, usage, timings_ms: timings, model, attempt, created_at: at }) =>
  h(
    'ul',
    { class: 'facts' },
    h('li', {}, status.replaceAll('_', ' ')),
    h('li', {}, format.plural(steps.length, 'step')),
    usage && h('li', {}, format.dollars(usage.cost_usd)),
    timings && h('li', {}, format.milliseconds(timings.total)),
    model !== null && h('li', {}, `answered by ${model}`),
    attempt > 1 && h('li', {}, `attempt ${attempt}`),
    h('li', {}, format.moment(at)),
  );

/** @param {string} project @param {ResearchRun} run */
const report = (project, { id, question, answer, citations, candidates, error }) =>
  h(
    'section',
    { 'aria-labelledby': 'report' },
    h('h2', { id: 'report' }, 'Question and report'),
    h('p', { class: 'said' }, question),
    answer !== null && replyText(project, { run: id }, answer, citations),
    error && h('p', { class: 'refusal' }, `${error.code}: ${error.detail}`),
    candidates.length > 0 &&
      h('ul', {}, ...candidates.map(({ filename, why }) => h('li', {}, `${filename}: ${why}`))),
  );

/** @param {ResearchRun['steps'][number]} step */
const stepRow = ({ n, thought, tool, input, output, is_error: isError, ms }) =>
  h(
    'li',
    { class: 'passage' },
    thought.trim() !== '' && h('p', {}, thought.trim()),
    h(
      'details',
      {},
      h(
        'summary',
        { class: 'quiet' },
        `${n}. `,
        h('code', {}, tool),
        ` ${inputLine(input)} · ${format.milliseconds(ms)}`,
        isError && h('span', { class: 'tag bad' }, 'failed'),
      ),
      h('pre', { tabindex: 0, role: 'region', 'aria-label': `What step ${n} gave` }, output),
    ),
  );

/** @param {ResearchRun} run */
const stepRows = ({ steps }) =>
  h(
    'section',
    { 'aria-labelledby': 'steps' },
    h('h2', { id: 'steps' }, 'Steps'),
    steps.length === 0
      ? h('p', { class: 'quiet' }, 'It did nothing.')
      : h('ol', { class: 'passages' }, ...steps.map(stepRow)),
  );

/** @param {import('./main.js').Asked} asked @returns {Promise<import('./main.js').Page>} */
export async function runPage({ parts: [id = '', name = ''], signal }) {
  const [project, run] = await Promise.all([
    get(urls.project(id), signal),
    /** @type {Promise<ResearchRun>} */ (get(urls.run(id, name), signal)),
  ]);
  const { usage, limits_applied: limits } = run;
  const cost =
    usage && usageRows({ usage, cost_usd: usage.cost_usd, token_factor: 1, limits_applied: limits });
  return {
    title: 'Research run',
    trail: [{ text: project.name, href: pages.project(id) }],
    content: h(
      'article',
      {},
      h('div', { class: 'title' }, h('h1', {}, 'Research run'), facts(run)),
      run.status === 'in_progress'
        ? underWay(id, run, signal)
        : h('div', { class: 'columns' }, h('div', {}, report(id, run)), h('div', {}, stepRows(run), cost)),
    ),
  };
}

/** A run that goes on is shown as it happens, and as a whole when it has ended. @param {string} id @param {ResearchRun} run @param {AbortSignal} signal */
function underWay(id, run, signal) {
  const live = liveRun(id, signal);
  const again = () => !signal.aborted && dispatchEvent(new Event('hashchange'));
  live.follow({ run: run.id }).then(again, again);
  return h(
    'section',
    { class: 'card', 'aria-label': 'As it happens' },
    h('p', { class: 'said' }, run.question),
    live.element,
  );
}
