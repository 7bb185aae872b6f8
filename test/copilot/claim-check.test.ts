import { describe, expect, it } from 'vitest';
import { checkClaim } from '../../src/copilot/claim-check.ts';

const check = (claim: string, quote: string, section = quote) =>
  checkClaim(claim, { quotes: [quote], sections: [section] });

describe('figures of a claim', () => {
  it.each([
    ['The pilot costs 1,200 EUR.', 'Kosten des Piloten: 1.200 EUR'],
    ['The pilot costs 1200 EUR.', 'Le pilote coûte 1 200 EUR.'],
    ["It cost 1'200 francs.", 'Costs: 1200 francs'],
    ['Churn is 40 %.', 'Churn is 40 percent.'],
    ['Churn is 40%.', 'a churn rate of 0.4'],
    ['Es sind 4,1 Prozent.', 'Churn is 4.1 percent.'],
    ['The budget is 1.2 million.', 'Budget: 1,200,000 EUR'],
    ['The budget is 250,000 EUR.', 'up to 250 k EUR'],
    ['Onboarding takes 11 weeks.', 'onboarding takes eleven weeks'],
    ['Das dauert 3 Monate.', 'Es dauert drei Monate.'],
    ['Revenue fell in Q3.', 'Revenue fell in the third quarter.'],
    ['It meets on 14 May 2026.', 'The meeting is on 2026-05-14.'],
    ['Es tagt am 14. Mai.', 'Termin: 14.05.2026'],
    ['Ticket FORGE-417 tracks it.', 'Ticket FORGE-417 tracks its approval.'],
    ['There are two reasons.', 'A reason. Another reason.'],
    ['It takes eleven weeks.', 'Onboarding: 11 weeks'],
    ['It takes three months.', 'Das dauert 3 Monate.'],
    ['For the second month it fell.', 'It fell again.'],
    ['One week later half of them left.', 'They left the week after.'],
  ])('stand in what is cited: %s', (claim, quote) => {
    expect(check(claim, quote)).toEqual([]);
  });

  it.each([
    ['The pilot costs 1,300 EUR.', 'The pilot costs 1,200 EUR.', ['1,300']],
    ['Churn is 40 %.', 'Churn is 4 %.', ['40']],
    ['Es sind 12 Wochen.', 'Es sind elf Wochen.', ['12']],
    ['It meets on 15 May.', 'It meets on 2026-05-14.', ['15']],
    ['It meets on 14 June.', 'The meeting: 14.05.2026.', ['June']],
    ['In 2025 it fell.', 'In 2024 it fell.', ['2025']],
    ['It takes nine weeks.', 'It takes eleven weeks.', ['nine']],
    ['Onboarding takes forty weeks.', 'Onboarding takes 11 weeks.', ['forty']],
    ['Es sind zwölf Wochen.', 'Es sind elf Wochen.', ['zwölf']],
    ['Thirty teams use it.', '20 teams use it.', ['thirty']],
  ])('do not stand there: %s', (claim, quote, missing) => {
    expect(check(claim, quote)).toEqual(missing);
  });

  it('may stand anywhere in the section, or in another that is cited with it', () => {
    expect(check('It costs 30 EUR.', 'It is cheap.', 'It is cheap. It costs 30 EUR.')).toEqual([]);
    const evidence = { quotes: ['Fell by 3 %.'], sections: ['Fell by 3 %.', 'Rose by 7 %.'] };
    expect(checkClaim('It fell by 3 % and rose by 7 %.', evidence)).toEqual([]);
  });
});

describe('names of a claim', () => {
  it.each([
    ['According to the notes, Marta Ruiz owns it.', 'Owner: Marta Ruiz'],
    ['The budget is owned by Marta.', 'Marta Ruiz owns the budget.'],
    ["It is in Lisbon's office.", 'The pilot runs in Lisbon.'],
    ['The missing piece is SSO.', 'customers left because of missing SSO integration'],
    ['Das Budget gehört Marta Ruiz und die Freigabe ist bei der Leitung.', 'Marta Ruiz owns the budget.'],
    ['Le budget dépend de Zoë.', 'Zoe décide du budget.'],
    ['Onboarding is slow.', 'The onboarding takes long.'],
  ])('stand in what is cited: %s', (claim, quote) => {
    expect(check(claim, quote)).toEqual([]);
  });

  it.each([
    ['The budget is owned by Dana Bell.', 'Marta Ruiz owns the budget.', ['Dana Bell']],
    ['The pilot starts in Porto.', 'The pilot starts in Lisbon.', ['Porto']],
    [
      'Das Budget gehört Dana Bell und die Freigabe ist offen.',
      'Das Budget gehört Marta Ruiz.',
      ['Dana Bell'],
    ],
  ])('do not stand there: %s', (claim, quote, missing) => {
    expect(check(claim, quote)).toEqual(missing);
  });
});

describe('a claim that denies', () => {
  it.each([
    ['Sales will not use it.', 'Sales will use it.'],
    ["Sales won't use it.", 'Sales will use it.'],
    ['Der Vertrieb nutzt es nicht.', 'Der Vertrieb nutzt es.'],
    ['Es gibt kein Budget.', 'Es gibt ein Budget.'],
    ["L'équipe ne l'utilise pas.", "L'équipe l'utilise."],
    ['El equipo nunca lo usa.', 'El equipo lo usa siempre.'],
    ['团队不使用它。', '团队使用它。'],
  ])('is not supported by one that does not, nor the other way round: %s', (denying, asserting) => {
    expect(check(denying, asserting)).toEqual(['not']);
    if (!denying.startsWith('团')) expect(check(asserting, denying)).toEqual(['not']);
  });

  it.each([
    ['The import does not work.', 'The invoice import fails.'],
    ['Nobody signed it.', 'It has never been signed.'],
    ['Die Freigabe fehlt.', 'Es gibt keine Freigabe.'],
    ['It is cheap.', 'It is cheap, as it does not need a licence, a server or a contract with anybody.'],
    ['Room No. 5 is free.', 'Room 5 is free.'],
  ])('is supported by one that denies in other words: %s', (claim, quote) => {
    expect(check(claim, quote)).toEqual([]);
  });
});

it('takes time in proportion to a hostile claim', () => {
  for (const piece of ['1,', "1'", 'A ', 'No. ', '1 000 ', 'Aa-']) {
    expect(Array.isArray(check(piece.repeat(20_000), 'x'))).toBe(true);
  }
}, 5_000);
