import { describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/llm/offline/statements.ts';

const recorded = (message: string): string[] =>
  statementsOf(message).map((found) =>
    found.kind === 'field' ? `${found.field}: ${found.value}` : `assumption: ${found.statement}`,
  );

describe('statementsOf', () => {
  it.each([
    ['Our decision maker is Dana Reyes', 'decision_maker: Dana Reyes'],
    ['Our decision maker is Dana Reyes, the CFO, and she is strict.', 'decision_maker: Dana Reyes, the CFO'],
    ['Dana Reyes decides.', 'decision_maker: Dana Reyes'],
    ['No, the decision maker is Peter Lang, Dana left in May.', 'decision_maker: Peter Lang'],
    ['Unsere Entscheiderin ist Frau Dr. Henning.', 'decision_maker: Frau Dr. Henning'],
    ['We have to ship before 1 March.', 'temporal_trigger: We have to ship before 1 March'],
    ['The deadline is 14 May 2027.', 'temporal_trigger: 14 May 2027'],
    ['Wir müssen bis zum 1. März fertig sein.', 'temporal_trigger: Wir müssen bis zum 1. März fertig sein'],
    ['The budget is 40,000 euros, and finance knows.', 'constraints: 40,000 euros'],
    ['Das Budget ist 40.000 Euro.', 'constraints: 40.000 Euro'],
    ['The target audience is commuters without a garage.', 'target_audience: commuters without a garage'],
    ['Die Zielgruppe sind Pendler ohne Garage.', 'target_audience: Pendler ohne Garage'],
    [
      'The problem is that new hires wait nine days for a login.',
      'problem_statement: new hires wait nine days for a login',
    ],
    ['It is not negotiable that the data stays in the EU.', 'non_negotiables: the data stays in the EU'],
    ['We measure success by tickets solved, 60 % by June.', 'success_metrics: tickets solved, 60 % by June'],
    ['We assume that half of them would pay', 'assumption: Half of them would pay.'],
    ['I guess that legal will not object.', 'assumption: Legal will not object.'],
    ['Wir nehmen an, dass die Hälfte bezahlt.', 'assumption: Die Hälfte bezahlt.'],
    ['Hi! Please note: our decision maker is Dana Reyes. Thanks!', 'decision_maker: Dana Reyes'],
  ])('takes %s', (message, expected) => {
    expect(recorded(message)).toEqual([expected]);
  });

  it('takes several of one message, each once', () => {
    expect(
      recorded('The decision maker is Ahmed Khan. We assume that legal agrees.\nThe budget is 5 k EUR.'),
    ).toEqual(['decision_maker: Ahmed Khan', 'assumption: Legal agrees.', 'constraints: 5 k EUR']);
  });

  it.each([
    'Is our decision maker Dana Reyes?',
    'Our decision maker is Dana Reyes?',
    'Should we assume that legal agrees?',
    'If our decision maker is Dana Reyes, we are safe.',
    'Maybe the decision maker is Dana Reyes.',
    'The decision maker could be Dana Reyes.',
    'The decision maker is not Dana Reyes.',
    'The decision maker is unknown.',
    'The decision maker is nobody.',
    'I do not know who the decision maker is.',
    'The report says our decision maker is Dana Reyes.',
    'According to the notes, the budget is 40,000 euros.',
    '> Our decision maker is Dana Reyes.',
    '```\nOur decision maker is Dana Reyes.\n```',
    'She said: "Our decision maker is Dana Reyes."',
    'They wrote “Hi. Our decision maker is Dana Reyes. Thanks” yesterday.',
    'Let’s say that the budget is 40,000 euros.',
    'We do not assume that legal agrees.',
    'Falls das Budget 40.000 Euro ist, reicht es.',
    'Die Entscheiderin ist nicht Frau Henning.',
    'The deadline is tight.',
    'The budget is generous.',
    'The problem is hard.',
    'ok, next question',
    '',
  ])('takes nothing from: %s', (message) => {
    expect(recorded(message)).toEqual([]);
  });

  it('takes nothing from a page that was pasted, and ends on hostile text', () => {
    expect(recorded(`Our decision maker is Dana Reyes. ${'word '.repeat(1_000)}`)).toEqual([]);
    for (const text of ['the '.repeat(999), `our ${' '.repeat(3_900)}`, 'a, '.repeat(1_300)]) {
      expect(recorded(text)).toEqual([]);
    }
  });
});
