import { pages, urls } from './api.js';
import { h } from './dom.js';
import { followRun } from './follow.js';
import { composer, liveFrame } from './live.js';

/** @typedef {import('../src/contract/research.ts').ResearchRun} ResearchRun */

/** Of an input, so much is shown in the line. */
const SHOWN = 120;

/** What a tool was called with, on one line. @param {unknown} input */
export function inputLine(input) {
  const text = JSON.stringify(input);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/**
 * A run of the research agent while it happens: its thoughts and what it does, the answer as it is written.
 *
 * @param {string} project
 * @param {AbortSignal} signal aborted when the page is left: the run goes on without it
 */
export function liveRun(project, signal) {
  const frame = liveFrame({ cancelLabel: 'Cancel this run' });
  const { element, say, steps, reply } = frame;
  /** The thought that is being told; null: the next piece begins one. @type {HTMLElement | null} */
  let thought = null;

  /** @param {ResearchRun} run */
  function showEnd({ id, status, answer: text, citations }) {
    const link = h('a', { href: pages.run(project, id) }, 'The run with its steps and its cost');
    const said = `The run is ${status.replaceAll('_', ' ')}.`;
    frame.ended({ text, citations, said, project, by: { run: id } }, link);
  }

  /** @type {Record<string, (data: any) => void>} */
  const shows = {
    'run.created': ({ id }) => {
      say('Looking …');
      frame.begun(urls.run(project, id));
    },
    'reasoning.delta': ({ text }) => {
      thought ??= steps.appendChild(h('li'));
      thought.append(text);
    },
    'tool.called': ({ name, input }) => {
      thought = null;
      steps.append(h('li', {}, h('code', {}, name), ` ${inputLine(input)}`));
    },
    'tool.returned': ({ name, is_error: isError }) => {
      if (isError) steps.append(h('li', { class: 'refusal' }, `${name} could not do that`));
    },
    'answer.delta': ({ text }) => {
      say('Answering …');
      reply.append(text);
    },
    'answer.reset': () => reply.replaceChildren(),
    'run.failed': ({ run, detail }) => {
      showEnd(run);
      say(`The run failed: ${detail}`);
    },
  };
  for (const how of ['completed', 'needs_clarification', 'step_limit_reached', 'cancelled']) {
    shows[`run.${how}`] = showEnd;
  }

  return {
    element,
    /** @param {Parameters<typeof followRun>[1]} what @throws Refusal */
    follow(what) {
      thought = null;
      return frame.follow(followRun(project, what, signal), shows);
    },
  };
}

/**
 * What the research agent is asked with.
 *
 * @param {string} project
 * @param {AbortSignal} signal
 */
export function runComposer(project, signal) {
  const { element, follow } = liveRun(project, signal);
  const words = {
    id: 'question',
    title: 'Have something researched',
    label: 'Question',
    button: 'Ask',
    most: 8_000,
  };
  return composer(words, { element, follow: (question) => follow({ question }) });
}
