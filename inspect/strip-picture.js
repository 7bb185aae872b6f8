import { pages } from './api.js';
import { h, picture, svg } from './dom.js';
import * as format from './format.js';
import { strip } from './layout.js';
import { sectionOf } from './sections.js';

/** @typedef {Pick<import('../src/contract/turn.ts').Turn, 'turn_number' | 'context' | 'usage' | 'status'>} Turn */

const HEIGHT = 72;
const WIDTH = 30;
const BAR = 22;
const FOOT = 16;
const COST = 18;

/**
 * A conversation turn by turn: how much of the budget each sent, of what, and below, where it is known, what it cost. Each
 * column leads to its turn.
 *
 * @param {string} project
 * @param {readonly Turn[]} turns
 * @param {number} [current]
 */
export function stripPicture(project, turns, current) {
  const { columns } = strip(turns);
  const costs = turns.map(({ usage }) => usage?.cost_usd ?? 0);
  const highest = Math.max(0, ...costs);
  const costHeight = highest > 0 ? COST : 0;
  const column = (
    /** @type {typeof columns[number]} */ { turn, tokens, segments },
    /** @type {number} */ at,
  ) => {
    const cost = costs[at] ?? 0;
    const title = `Turn ${turn}: ${format.tokens(tokens)}, ${format.dollars(cost)}`;
    const costBar = highest > 0 ? COST * (cost / highest) : 0;
    return svg(
      'a',
      {
        href: pages.turn(project, turn),
        class: turn === current ? 'column current' : 'column',
        'aria-label': title,
        'aria-current': turn === current ? 'page' : undefined,
        transform: `translate(${at * WIDTH} 0)`,
      },
      svg('title', {}, title),
      svg('rect', { class: 'room', x: (WIDTH - BAR) / 2, width: BAR, height: HEIGHT }),
      ...segments.map(({ name, start, share }) =>
        svg('rect', {
          class: `bar group-${sectionOf(name).group}`,
          x: (WIDTH - BAR) / 2,
          y: HEIGHT * (1 - start - share),
          width: BAR,
          height: HEIGHT * share,
        }),
      ),
      svg('text', { x: WIDTH / 2, y: HEIGHT + FOOT - 2, 'text-anchor': 'middle' }, String(turn)),
      svg('rect', {
        class: 'cost',
        x: (WIDTH - BAR) / 2,
        y: HEIGHT + FOOT + 2,
        width: BAR,
        height: costBar,
      }),
    );
  };
  const drawing = picture(
    {
      title: 'Turn by turn',
      description: columns
        .map(
          ({ turn, tokens }, at) =>
            `Turn ${turn}: ${format.tokens(tokens)}, ${format.dollars(costs[at] ?? 0)}`,
        )
        .join('. '),
      height: HEIGHT + FOOT + costHeight + 4,
      role: 'group',
    },
    ...columns.map(column),
  );
  drawing.setAttribute('width', String(columns.length * WIDTH));
  return h('nav', { class: 'strip', 'aria-label': 'Turns' }, drawing);
}
