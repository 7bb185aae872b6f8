import { pages, post, urls } from './api.js';
import { budgetPicture } from './budget-picture.js';
import { h } from './dom.js';
import { followTurn } from './follow.js';
import { replyText } from './reply.js';

/** @typedef {import('../src/contract/turn.ts').Turn} Turn */

/**
 * A turn while it happens: what was decided, the budget as soon as it is known, the reply as it is written.
 *
 * @param {string} project
 * @param {AbortSignal} signal aborted when the page is left: the turn goes on without it
 */
export function liveTurn(project, signal) {
  const status = h('p', { class: 'quiet', role: 'status' });
  const budget = h('div');
  const steps = h('ul', { class: 'quiet steps' });
  const reply = h('div', { class: 'reply', 'aria-live': 'polite', 'aria-label': 'Reply' });
  const end = h('p');
  const cancel = h('button', { type: 'button', class: 'plain', hidden: true }, 'Cancel this turn');
  const element = h('div', { class: 'live' }, status, budget, steps, reply, end, cancel);

  /** @param {Turn} turn */
  function showEnd(turn) {
    const { turn_number: number, response, citations } = turn;
    if (response !== null) reply.replaceChildren(replyText(project, number, response, citations));
    status.textContent = `Turn ${number} is ${turn.status}.`;
    end.replaceChildren(h('a', { href: pages.turn(project, number) }, `Turn ${number} with its receipt`));
  }

  /** @type {Record<string, (data: any) => void>} */
  const shows = {
    'turn.created': ({ turn_number: number }) => {
      status.textContent = `Turn ${number}: routing …`;
      cancel.hidden = false;
      cancel.onclick = () => {
        cancel.disabled = true;
        post(`${urls.turn(project, number)}/cancel`).catch((error) => {
          cancel.disabled = false;
          status.textContent = String(error.message);
        });
      };
    },
    'route.decided': ({ action, next_probe: probe }) => {
      status.textContent = `Routed: ${action}${probe === null ? '' : `, probe ${probe}`}. Putting the prompt together …`;
    },
    'context.assembled': (context) => {
      status.textContent = 'Answering …';
      budget.replaceChildren(budgetPicture(context));
    },
    'answer.delta': ({ text }) => reply.append(text),
    'answer.reset': () => reply.replaceChildren(),
    'tool.called': ({ name }) => steps.append(h('li', {}, `Called ${name}`)),
    'turn.completed': showEnd,
    'turn.cancelled': showEnd,
    'turn.failed': ({ turn, detail }) => {
      showEnd(turn);
      status.textContent = `Turn ${turn.turn_number} failed: ${detail}`;
    },
  };

  /** @param {{ message: string } | { turn: number }} what @throws Refusal */
  async function follow(what) {
    for (const part of [budget, steps, reply, end]) part.replaceChildren();
    status.textContent = 'Sending …';
    cancel.disabled = false;
    reply.setAttribute('aria-busy', 'true');
    try {
      for await (const { event, data } of followTurn(project, what, signal)) shows[event]?.(data);
    } catch (error) {
      status.textContent = '';
      throw error;
    } finally {
      reply.removeAttribute('aria-busy');
      cancel.hidden = true;
    }
  }

  return { element, follow };
}

/**
 * What something is said with.
 *
 * @param {string} project
 * @param {AbortSignal} signal
 */
export function composer(project, signal) {
  const live = liveTurn(project, signal);
  const input = h('textarea', { id: 'message', rows: 3, maxlength: 32_000, required: true });
  const send = h('button', { type: 'submit' }, 'Send');
  const refusal = h('p', { role: 'alert' });
  const say = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const message = input.value.trim();
    if (message === '' || send.disabled) return;
    send.disabled = true;
    refusal.textContent = '';
    try {
      await live.follow({ message });
      input.value = '';
    } catch (error) {
      refusal.textContent = error instanceof Error ? error.message : String(error);
    }
    send.disabled = false;
  };
  const form = h(
    'form',
    { onsubmit: say },
    h('label', { for: 'message' }, 'Message'),
    input,
    h('div', { class: 'actions' }, send, h('span', { class: 'quiet' }, 'Ctrl+Enter sends, too.')),
    refusal,
  );
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return h(
    'section',
    { 'aria-labelledby': 'say' },
    h('h2', { id: 'say' }, 'Say something'),
    form,
    live.element,
  );
}
