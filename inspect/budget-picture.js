import { h, picture, svg } from './dom.js';
import * as format from './format.js';
import { budgetBar } from './layout.js';
import { GROUPS, sectionOf } from './sections.js';

/** @typedef {import('./layout.js').Segment} Segment */
/** @typedef {Pick<import('../src/contract/receipt.ts').Receipt, 'budget' | 'tokens' | 'dropped'> & { sections: readonly { name: string, tokens: number }[] }} Sent */

const BAR = 56;
const GAP = 10;
const DROPPED = 26;
/** Share of the width from which a name fits, in a wide window; a narrow one shows none. */
const ROOM_FOR_NAME = 0.08;

const across = (/** @type {number} */ share) => `${(share * 100).toFixed(3)}%`;

let hatches = 0;

/** Stripes in the colour of each group, for what was left out. @param {string} prefix */
const hatchesOf = (prefix) =>
  svg(
    'defs',
    {},
    ...GROUPS.map(({ group }) =>
      svg(
        'pattern',
        {
          id: `${prefix}-${group}`,
          class: `group-${group}`,
          width: 7,
          height: 7,
          patternUnits: 'userSpaceOnUse',
          patternTransform: 'rotate(45)',
        },
        svg('rect', { class: 'hatch', width: 3.5, height: 7 }),
      ),
    ),
  );

/** @param {Segment} segment @param {number} budget */
function sentSegment({ name, tokens, start, share }, budget) {
  const { label, group } = sectionOf(name);
  const title = `${label}: ${format.tokens(tokens)}, ${format.percent(tokens / budget)} of the budget`;
  return svg(
    'g',
    { class: `segment group-${group}`, 'data-section': name },
    svg('rect', { x: across(start), y: 0, width: across(share), height: BAR }, svg('title', {}, title)),
    share >= ROOM_FOR_NAME &&
      svg(
        'svg',
        { x: across(start), y: 0, width: across(share), height: BAR, class: 'names' },
        svg('text', { x: 10, y: 24 }, label),
        svg('text', { x: 10, y: 42, class: 'figure' }, format.count(tokens)),
      ),
  );
}

/** @param {Segment} segment @param {string} hatch */
function droppedSegment({ name, tokens, start, share }, hatch) {
  const { label, group } = sectionOf(name);
  return svg(
    'g',
    { class: `dropped group-${group}`, 'data-section': name },
    svg(
      'rect',
      {
        x: across(start),
        y: BAR + GAP,
        width: across(share),
        height: DROPPED,
        fill: `url(#${hatch}-${group})`,
      },
      svg('title', {}, `Left out of ${label}: ${format.tokens(tokens)}`),
    ),
  );
}

/** What the picture shows, in a paragraph. @param {Sent} receipt @param {number} free */
function described({ budget, tokens, sections, dropped }, free) {
  const sent = sections
    .filter((one) => one.tokens > 0)
    .map((one) => `${sectionOf(one.name).label} ${format.count(one.tokens)}`);
  const left =
    dropped.length === 0 ? 'Nothing was left out.' : `${format.plural(dropped.length, 'item')} left out.`;
  return `${format.tokens(tokens)} of ${format.count(budget)} were sent: ${sent.join(', ')}. ${format.count(free)} stayed free. ${left}`;
}

/** @param {string} swatch class of the swatch @param {string} label @param {string} figures */
const legendEntry = (swatch, label, figures) =>
  h(
    'li',
    {},
    h('span', { class: `swatch ${swatch}`, 'aria-hidden': 'true' }),
    `${label} `,
    h('span', { class: 'quiet' }, figures),
  );

/** The colours, each with its group's tokens. @param {Sent} receipt @param {number} free */
function legend({ sections, budget, dropped }, free) {
  const lost = dropped.reduce((sum, one) => sum + one.tokens, 0);
  const entries = GROUPS.flatMap(({ group, label }) => {
    const tokens = sections.reduce(
      (sum, one) => sum + (sectionOf(one.name).group === group ? one.tokens : 0),
      0,
    );
    return tokens > 0 ? [{ group, label, tokens }] : [];
  });
  return h(
    'ul',
    { class: 'legend' },
    ...entries.map(({ group, label, tokens }) =>
      legendEntry(`group-${group}`, label, `${format.count(tokens)} · ${format.percent(tokens / budget)}`),
    ),
    legendEntry('free', 'Free', format.count(free)),
    lost > 0 && legendEntry('left-out', 'Left out', format.count(lost)),
  );
}

/**
 * The budget of a prompt as one bar: what filled it, what stayed free, and hatched below on the same scale what was left out.
 *
 * @param {Sent} receipt
 */
export function budgetPicture(receipt) {
  const layout = budgetBar(receipt);
  hatches += 1;
  const hatch = `hatch-${hatches}`;
  const isLeftOut = layout.dropped.length > 0;
  const height = isLeftOut ? BAR + GAP + DROPPED : BAR;
  return h(
    'figure',
    { class: 'budget' },
    picture(
      {
        title: 'What filled the budget',
        description: described(receipt, layout.free),
        height,
      },
      hatchesOf(hatch),
      svg('rect', { class: 'room', width: across(layout.budgetAt), height: BAR }),
      ...layout.sent.map((segment) => sentSegment(segment, receipt.budget)),
      ...layout.dropped.map((segment) => droppedSegment(segment, hatch)),
      layout.budgetAt < 1 &&
        svg('line', {
          class: 'limit',
          x1: across(layout.budgetAt),
          x2: across(layout.budgetAt),
          y1: 0,
          y2: height,
        }),
    ),
    h('figcaption', {}, legend(receipt, layout.free)),
  );
}

/** The parts of a picture that belong to a section stand out while its row is pointed at. @param {Element} row @param {string} name */
export function pointsAt(row, name) {
  const show = (/** @type {boolean} */ on) => () => {
    for (const part of document.querySelectorAll(`.budget [data-section="${CSS.escape(name)}"]`)) {
      part.classList.toggle('pointed', on);
      part.closest('.budget')?.classList.toggle('pointing', on);
    }
  };
  for (const event of ['mouseenter', 'focusin']) row.addEventListener(event, show(true));
  for (const event of ['mouseleave', 'focusout']) row.addEventListener(event, show(false));
}
