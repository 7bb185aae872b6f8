import { pages } from './api.js';
import { pointsAt } from './budget-picture.js';
import { h, picture, svg, table } from './dom.js';
import * as format from './format.js';
import { waterfall } from './layout.js';
import { sectionOf } from './sections.js';

/** @typedef {import('../src/contract/receipt.ts').Receipt} Receipt */
/** @typedef {Receipt['sections'][number]['items'][number] & { score?: number, marker?: number, filename?: string, header_path?: string[], turn_number?: number, version?: number }} Item */

const across = (/** @type {number} */ share) => `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(2)}%`;

/** A bar of a share, beside a figure that says the same. @param {number} share @param {string} group @param {number} [least] */
export function meter(share, group, least) {
  return svg(
    'svg',
    { class: 'meter', width: '100%', height: 10, 'aria-hidden': 'true' },
    svg('rect', { class: 'track', width: '100%', height: 10, rx: 2 }),
    svg('rect', { class: `bar group-${group}`, width: across(share), height: 10, rx: 2 }),
    least !== undefined &&
      svg('line', { class: 'limit', x1: across(least), x2: across(least), y1: 0, y2: 10 }),
  );
}

/** @param {Item} item */
function nameOf({ id, filename, header_path: path, turn_number: turn }) {
  if (filename !== undefined) return [filename, ...(path ?? [])].join(' › ');
  return turn === undefined ? id : `Turn ${turn}`;
}

/** @param {Item} item */
const itemLine = (item) =>
  h(
    'li',
    {},
    h('span', {}, nameOf(item)),
    h('span', { class: 'quiet' }, `${format.count(item.tokens)}${item.narrowed ? ' · shortened' : ''}`),
  );

/** @param {Receipt['sections'][number]} section @param {Receipt} receipt */
function sectionRow({ name, tokens, items, text }, { budget }) {
  const { label, group } = sectionOf(name);
  const row = h(
    'details',
    { class: 'section' },
    h(
      'summary',
      {},
      h('span', { class: `swatch group-${group}`, 'aria-hidden': 'true' }),
      h('span', { class: 'name' }, label),
      h('span', { class: 'figure' }, format.count(tokens)),
      meter(tokens / budget, group),
      h('span', { class: 'figure quiet' }, format.percent(tokens / budget)),
    ),
    items.length > 0 && h('ul', { class: 'items' }, ...items.map((item) => itemLine(item))),
    h('pre', { tabindex: 0, role: 'region', 'aria-label': `Text of ${label}` }, text),
  );
  pointsAt(row, name);
  return row;
}

/** Every part of the prompt with its size; opened, what it is made of and its text. @param {Receipt} receipt */
export const sectionRows = (receipt) =>
  h(
    'section',
    { 'aria-labelledby': 'sent' },
    h('h2', { id: 'sent' }, 'What was sent'),
    ...receipt.sections.filter(({ tokens }) => tokens > 0).map((section) => sectionRow(section, receipt)),
  );

/** @param {Receipt} receipt */
export function droppedRows({ dropped }) {
  if (dropped.length === 0) return null;
  return h(
    'section',
    { 'aria-labelledby': 'dropped' },
    h('h2', { id: 'dropped' }, 'What was left out'),
    table(
      'What was left out, and why',
      ['Part', 'What', { text: 'Tokens', class: 'number' }, 'Reason'],
      dropped.map(({ section, id, tokens, reason }) => [
        h(
          'span',
          {},
          h('span', { class: `swatch group-${sectionOf(section).group}`, 'aria-hidden': 'true' }),
          sectionOf(section).label,
        ),
        section.endsWith('_turns') ? `Turn ${id}` : h('code', {}, id),
        format.count(tokens),
        reason,
      ]),
    ),
  );
}

/**
 * The passages that were sent, each with the confidence that it bears on the message.
 *
 * @param {string} project
 * @param {Receipt} receipt
 * @param {readonly { marker: number }[]} citations of the reply
 */
export function passageRows(project, receipt, citations) {
  const items = /** @type {Item[]} */ (
    receipt.sections.filter(({ name }) => name === 'retrieved_documents').flatMap((section) => section.items)
  );
  const {
    considered,
    below_floor: below,
    min_score: least,
    documents,
    likeliest_file: likeliest,
  } = receipt.retrieval;
  const heading = h('h2', { id: 'passages' }, 'Passages');
  if (documents === null) {
    return h(
      'section',
      { 'aria-labelledby': 'passages' },
      heading,
      h('p', { class: 'quiet' }, 'Nothing was looked up.'),
    );
  }
  const cited = new Set(citations.map(({ marker }) => marker));
  const passage = (/** @type {Item} */ item) => {
    const { filename = '', source = 'project', header_path: path = [], score = 0, marker } = item;
    const isCited = marker !== undefined && cited.has(marker);
    const link = pages.file(
      project,
      { filename, source },
      {
        turn: receipt.turn_number,
        ...(marker !== undefined && isCited && { marker }),
      },
    );
    return h(
      'li',
      { class: 'passage' },
      h(
        'div',
        { class: 'line' },
        marker !== undefined && h('span', { class: 'marker' }, `[${marker}]`),
        h('a', { href: link }, path.at(-1) ?? filename),
        source === 'library' && h('span', { class: 'tag' }, 'library'),
        isCited && h('span', { class: 'tag' }, 'cited'),
        item.narrowed && h('span', { class: 'tag' }, 'shortened'),
      ),
      h('p', { class: 'quiet path' }, [filename, ...path.slice(0, -1)].join(' › ')),
      h(
        'div',
        { class: 'scored' },
        meter(score, 'documents', least ?? undefined),
        h('span', { class: 'figure' }, format.score(score)),
        h('span', { class: 'figure quiet' }, format.tokens(item.tokens)),
      ),
    );
  };
  const said = [
    `${format.plural(considered, 'section')} searched (${documents})`,
    ...(least === null ? [] : [`floor ${format.score(least)}`]),
    ...(below > 0 ? [`${format.count(below)} below it`] : []),
    ...(items.length === 0 && likeliest !== null ? [`the likeliest file is ${likeliest}`] : []),
  ];
  return h(
    'section',
    { 'aria-labelledby': 'passages' },
    heading,
    h('p', { class: 'quiet' }, `${said.join(' · ')}.`),
    h('ol', { class: 'passages' }, ...items.map(passage)),
  );
}

/** @type {Record<string, string>} */
const PHASES = {
  route: 'Route',
  embed: 'Embed the query',
  retrieve: 'Search',
  rerank: 'Rerank',
  assemble: 'Assemble',
  answer: 'Answer',
};
const ROW = 24;

/** @param {Receipt} receipt */
export function timeRows({ timings_ms: timings, speculation }) {
  const { phases, total, firstToken } = waterfall(timings, speculation);
  const height = phases.length * ROW;
  const said = phases.map(({ name, ms }) => `${PHASES[name] ?? name} ${format.milliseconds(ms)}`);
  return h(
    'section',
    { 'aria-labelledby': 'time' },
    h('h2', { id: 'time' }, 'Time'),
    h(
      'div',
      { class: 'waterfall' },
      h(
        'ul',
        {},
        ...phases.map(({ name, ms }) =>
          h(
            'li',
            {},
            `${PHASES[name] ?? name} `,
            h('span', { class: 'figure quiet' }, format.milliseconds(ms)),
          ),
        ),
      ),
      picture(
        {
          title: 'The steps in time',
          description: `${said.join(', ')}; ${format.milliseconds(total)} in all.`,
          height,
        },
        ...phases.map(({ name, start, ms }, at) =>
          svg('rect', {
            class: `phase phase-${name}`,
            x: across(start / total),
            y: at * ROW + 5,
            width: across(Math.max(ms / total, 0.004)),
            height: ROW - 10,
            rx: 2,
          }),
        ),
        firstToken !== null &&
          svg('line', {
            class: 'limit',
            x1: across(firstToken / total),
            x2: across(firstToken / total),
            y1: 0,
            y2: height,
          }),
      ),
    ),
    h(
      'p',
      { class: 'quiet' },
      `${format.milliseconds(total)} in all`,
      firstToken !== null && ` · first words after ${format.milliseconds(firstToken)} (dashed)`,
      speculation?.used && ' · the search ran beside the routing',
      '.',
    ),
  );
}

/** @param {{ usage: NonNullable<import('../src/contract/turn.ts').Turn['usage']>, cost_usd: number | null, token_factor: number, limits_applied: readonly { limit: string, setting: string, from: number, to: number }[] }} spent */
export function usageRows({ usage, cost_usd: cost, token_factor: factor, limits_applied: limits }) {
  const phases = Object.entries(usage.by_phase);
  const number = (/** @type {string} */ text) => ({ text, class: 'number' });
  return h(
    'section',
    { 'aria-labelledby': 'cost' },
    h('h2', { id: 'cost' }, 'Cost'),
    table(
      'Tokens and cost by phase, as the providers counted',
      ['Phase', 'Model', number('Read'), number('of it cached'), number('Written'), number('Cost')],
      [
        ...phases.map(([name, one]) => [
          name.replaceAll('_', ' '),
          one.model,
          format.count(one.input_tokens),
          format.count(one.cached_tokens),
          format.count(one.output_tokens),
          format.dollars(one.cost_usd),
        ]),
        [
          'In all',
          '',
          format.count(usage.input_tokens),
          format.count(usage.cached_tokens),
          format.count(usage.output_tokens),
          format.dollars(cost),
        ],
      ],
    ),
    factor !== 1 &&
      h(
        'p',
        { class: 'quiet' },
        `The provider counts ${factor.toFixed(2)} tokens for one that is counted here.`,
      ),
    limits.length > 0 &&
      h(
        'ul',
        { class: 'quiet' },
        ...limits.map(({ limit, setting, from, to }) =>
          h('li', {}, `${limit}: ${setting} ${format.count(from)} → ${format.count(to)}`),
        ),
      ),
  );
}
