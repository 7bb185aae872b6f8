import { post } from './api.js';
import { h } from './dom.js';
import { replyText } from './reply.js';

/** @typedef {import('../src/contract/citation.ts').Citation} Citation */

/**
 * What is shown of a turn or a run while it goes on: where it is, its steps, its answer as it is written, a way to cancel it.
 *
 * @param {{ cancelLabel: string, above?: HTMLElement }} looks `above`: what stands before the steps
 */
export function liveFrame({ cancelLabel, above = h('div') }) {
  const status = h('p', { class: 'quiet', role: 'status' });
  const steps = h('ul', { class: 'quiet steps' });
  const reply = h('div', { class: 'reply', 'aria-live': 'polite', 'aria-label': 'Reply' });
  const end = h('p');
  const cancel = h('button', { type: 'button', class: 'plain', hidden: true }, cancelLabel);
  const element = h('div', { class: 'live' }, status, above, steps, reply, end, cancel);

  /** @param {unknown} text */
  const say = (text) => {
    status.textContent = String(text);
  };

  return {
    element,
    say,
    steps,
    reply,

    /** It has begun. @param {string} address where it is cancelled */
    begun(address) {
      cancel.hidden = false;
      cancel.onclick = () => {
        cancel.disabled = true;
        post(`${address}/cancel`).catch((error) => {
          cancel.disabled = false;
          say(error.message);
        });
      };
    },

    /**
     * It has ended.
     *
     * @param {{ text: string | null, citations: readonly Citation[], said: string, project: string, by: Parameters<typeof replyText>[1] }} how
     * @param {HTMLElement} link where it is shown
     */
    ended({ text, citations, said, project, by }, link) {
      if (text !== null) reply.replaceChildren(replyText(project, by, text, citations));
      say(said);
      end.replaceChildren(link);
    },

    /**
     * Shows the events to the last.
     *
     * @param {AsyncIterable<{ event: string, data: any }>} events
     * @param {Record<string, (data: any) => void>} shows by their names
     * @throws Refusal
     */
    async follow(events, shows) {
      for (const part of [above, steps, reply, end]) part.replaceChildren();
      say('Sending …');
      cancel.disabled = false;
      reply.setAttribute('aria-busy', 'true');
      try {
        for await (const { event, data } of events) shows[event]?.(data);
      } catch (error) {
        say('');
        throw error;
      } finally {
        reply.removeAttribute('aria-busy');
        cancel.hidden = true;
      }
    },
  };
}

/**
 * What something is said or asked with.
 *
 * @param {{ id: string, title: string, label: string, button: string, most: number }} words `most`: characters
 * @param {{ element: HTMLElement, follow: (text: string) => Promise<void> }} live
 */
export function composer({ id, title, label, button, most }, live) {
  const input = h('textarea', { id, rows: 3, maxlength: most, required: true });
  const send = h('button', { type: 'submit' }, button);
  const refusal = h('p', { role: 'alert' });
  const say = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '' || send.disabled) return;
    send.disabled = true;
    refusal.textContent = '';
    try {
      await live.follow(text);
      input.value = '';
    } catch (error) {
      refusal.textContent = error instanceof Error ? error.message : String(error);
    }
    send.disabled = false;
  };
  const form = h(
    'form',
    { onsubmit: say },
    h('label', { for: id }, label),
    input,
    h('div', { class: 'actions' }, send, h('span', { class: 'quiet' }, 'Ctrl+Enter sends, too.')),
    refusal,
  );
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return h(
    'section',
    { 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    form,
    live.element,
  );
}
