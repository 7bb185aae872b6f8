import { pages, urls } from './api.js';
import { budgetPicture } from './budget-picture.js';
import { h } from './dom.js';
import { followTurn } from './follow.js';
import { composer, liveFrame } from './live.js';

/** @typedef {import('../src/contract/turn.ts').Turn} Turn */

/**
 * A turn while it happens: what was decided, the budget as soon as it is known, the reply as it is written.
 *
 * @param {string} project
 * @param {AbortSignal} signal aborted when the page is left: the turn goes on without it
 */
export function liveTurn(project, signal) {
  const budget = h('div');
  const frame = liveFrame({ cancelLabel: 'Cancel this turn', above: budget });
  const { element, say, steps, reply } = frame;

  /** @param {Turn} turn */
  function showEnd({ turn_number: turn, status, response: text, citations }) {
    const link = h('a', { href: pages.turn(project, turn) }, `Turn ${turn} with its receipt`);
    frame.ended({ text, citations, said: `Turn ${turn} is ${status}.`, project, by: { turn } }, link);
  }

  /** @type {Record<string, (data: any) => void>} */
  const shows = {
    'turn.created': ({ turn_number: turn }) => {
      say(`Turn ${turn}: routing …`);
      frame.begun(urls.turn(project, turn));
    },
    'route.decided': ({ action, next_probe: probe }) =>
      say(`Routed: ${action}${probe === null ? '' : `, probe ${probe}`}. Putting the prompt together …`),
    'context.assembled': (context) => {
      say('Answering …');
      budget.replaceChildren(budgetPicture(context));
    },
    'answer.delta': ({ text }) => reply.append(text),
    'answer.reset': () => reply.replaceChildren(),
    'tool.called': ({ name }) => steps.append(h('li', {}, `Called ${name}`)),
    'turn.completed': showEnd,
    'turn.cancelled': showEnd,
    'turn.failed': ({ turn, detail }) => {
      showEnd(turn);
      say(`Turn ${turn.turn_number} failed: ${detail}`);
    },
  };

  return {
    element,
    /** @param {Parameters<typeof followTurn>[1]} what @throws Refusal */
    follow: (what) => frame.follow(followTurn(project, what, signal), shows),
  };
}

/**
 * What something is said with.
 *
 * @param {string} project
 * @param {AbortSignal} signal
 */
export function turnComposer(project, signal) {
  const { element, follow } = liveTurn(project, signal);
  const words = { id: 'message', title: 'Say something', label: 'Message', button: 'Send', most: 32_000 };
  return composer(words, { element, follow: (message) => follow({ message }) });
}
