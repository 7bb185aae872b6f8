import { describe, expect, it } from 'vitest';
import type { RouteFacts } from '../../../src/llm/model.ts';
import { routeByRules } from '../../../src/llm/offline/route.ts';

const probe = (key: string, mode: 'discovery' | 'evaluation', ...signals: string[]) => ({
  key,
  mode,
  title: key,
  signals,
});

function route(message: string, extra: Partial<RouteFacts> = {}) {
  return routeByRules({
    task: 'route',
    message,
    activeMode: 'discovery',
    activeProbe: 'urgency',
    completedProbes: [],
    probes: [
      probe('problem', 'discovery', 'we need a', 'build'),
      probe('urgency', 'discovery', 'deadline', 'next quarter'),
      probe('people', 'discovery', 'stakeholder', 'sign off', 'who decides'),
      probe('fit', 'evaluation', 'solves'),
      probe('risk', 'evaluation', 'migration'),
    ],
    patterns: [
      probe('scope', 'discovery', 'and also', 'for everyone'),
      probe('inertia', 'discovery', 'already built'),
      probe('sunk', 'evaluation', 'already built'),
    ],
    filenames: ['campaign-research-q3.docx', 'budget.md'],
    ...extra,
  });
}

describe('routeByRules', () => {
  it('keeps the active probe on an acknowledgement, and needs no retrieval', () => {
    expect(route('Sounds good, thanks!')).toMatchObject({
      next_probe: 'urgency',
      action: 'probe',
      requires_retrieval: false,
      triggered_patterns: [],
    });
  });

  it('goes on to the next open probe when the active one is completed, also on an acknowledgement', () => {
    expect(route('ok', { completedProbes: ['urgency'] }).next_probe).toBe('people');
    expect(route('ok', { activeProbe: null }).next_probe).toBe('problem');
  });

  it('chooses the probe that the message speaks for, whole words only', () => {
    expect(route('The stakeholders must sign off first').next_probe).toBe('people');
    expect(route('There is a DEADLINE in May').next_probe).toBe('urgency');
    expect(route('We are rebuilding trust', { activeProbe: 'problem' }).next_probe).toBe('urgency');
  });

  it('lets the probe with more of its signals win', () => {
    expect(route('Who decides on the deadline? A stakeholder must sign off').next_probe).toBe('people');
  });

  it('does not return to a completed probe, even when signalled', () => {
    expect(route('There is a deadline', { completedProbes: ['urgency'] }).next_probe).toBe('people');
  });

  it('moves to the next open probe in a circle when nothing speaks for one', () => {
    expect(route('Our customers are small bakeries.').next_probe).toBe('people');
    expect(route('Our customers are small bakeries.', { activeProbe: 'people' }).next_probe).toBe('problem');
  });

  it('has no probe left when all of the mode are completed', () => {
    const completedProbes = ['problem', 'urgency', 'people'];
    expect(route('Our customers are small bakeries.', { completedProbes }).next_probe).toBeNull();
    expect(route('ok', { completedProbes }).next_probe).toBeNull();
  });

  it('triggers patterns of the mode only', () => {
    expect(route('It is already built, and also for everyone').triggered_patterns).toEqual([
      'scope',
      'inertia',
    ]);
    expect(route('It is already built', { activeMode: 'evaluation' }).triggered_patterns).toEqual(['sunk']);
  });

  it.each([
    'switch to evaluation mode',
    "Let's evaluate the solution",
    'Can we move on to the evaluation now?',
    'Please assess our proposal',
    'Wechseln wir in den Bewertungsmodus',
  ])('switches the mode: %s', (message) => {
    expect(route(message)).toMatchObject({
      action: 'switch_mode',
      active_mode: 'evaluation',
      next_probe: 'fit',
      requires_retrieval: true,
    });
  });

  it.each(['We did not evaluate the solution', 'What is evaluation mode?', 'The evaluation form is late'])(
    'does not switch the mode: %s',
    (message) => {
      expect(route(message)).toMatchObject({ active_mode: 'discovery' });
    },
  );

  it('is not a switch to be told the mode that is on', () => {
    expect(route('back to discovery mode').action).not.toBe('switch_mode');
    expect(route('back to discovery mode', { activeMode: 'evaluation', activeProbe: 'fit' })).toMatchObject({
      action: 'switch_mode',
      active_mode: 'discovery',
      next_probe: 'problem',
    });
  });

  it.each([
    'Summarise what we have so far',
    'Where do we stand?',
    'Please give me a recap',
    'Fasse bitte zusammen, was wir bisher haben',
    'Подведи итог, пожалуйста',
  ])('sums up: %s', (message) => {
    expect(route(message)).toMatchObject({ action: 'synthesise', requires_retrieval: true });
  });

  it.each([
    'What does the research say about churn?',
    'summarise the research report',
    'Show me the numbers for March',
    'Wie hoch ist die Kündigungsrate',
    'Сколько клиентов ушло',
    '解约率是多少？',
  ])('answers: %s', (message) => {
    expect(route(message)).toMatchObject({ action: 'answer', requires_retrieval: true });
  });

  it('probes on a statement', () => {
    expect(route('yes, but legal has not agreed')).toMatchObject({
      action: 'probe',
      requires_retrieval: true,
    });
  });

  it('names the files that the message names', () => {
    expect(route('what is in budget.md?').relevant_files).toEqual(['budget.md']);
    expect(route('The campaign research of Q3 says so').relevant_files).toEqual([
      'campaign-research-q3.docx',
    ]);
    expect(route('The research is old').relevant_files).toEqual([]);
  });
});
