import { describe, expect, it } from 'vitest';
import { askedWords } from '../../src/retrieval/asked-words.ts';
import {
  bearingConfidence,
  collectEvidence,
  type Evidence,
  standingOf,
} from '../../src/retrieval/bearing.ts';

const TEXT = 'Enterprise churn rose to 11.8 % because onboarding takes eleven weeks.';
const counts = {
  texts: 40,
  having: new Map([
    ['enterpris', 17],
    ['churn', 8],
    ['onboard', 3],
    ['custom', 18],
    ['week', 9],
    ['eleven', 1],
  ]),
};
const evidenceOf = (question: string, text = TEXT, standing: number | null = null): Evidence =>
  collectEvidence(askedWords(question, counts), { stretch: text, whole: text, language: null }, standing);
const confidenceIn = (...args: Parameters<typeof evidenceOf>): number =>
  bearingConfidence(evidenceOf(...args));

const NOTHING: Evidence = {
  ...{ told: 0, specific: 0, unknown: 0, missingName: 0, unknownName: 0 },
  standing: null,
};

describe('collectEvidence', () => {
  it('tells how much of what the question asks for a text has', () => {
    expect(evidenceOf('enterprise churn')).toMatchObject({ told: 1, unknown: 0, missingName: 0 });
    expect(evidenceOf('enterprise churn in Leipzig').told).toBeLessThan(1);
    expect(evidenceOf('kubernetes ingress').told).toBe(0);
  });

  it('counts a telling word for more than a common one', () => {
    expect(evidenceOf('churn of customers').told).toBeGreaterThan(
      evidenceOf('customers of enterprise').told / 2,
    );
    expect(evidenceOf('churn').specific).toBeGreaterThan(evidenceOf('week').specific);
  });

  it('tells a word that no text has from one that only this text lacks', () => {
    expect(evidenceOf('churn of customers').unknown).toBe(0);
    expect(evidenceOf('churn of orchids').unknown).toBeGreaterThan(0.5);
  });

  it('looks for names and numbers above all', () => {
    expect(evidenceOf('churn at Leadmere')).toMatchObject({ missingName: 1, unknownName: 1 });
    expect(evidenceOf('What is CRM-1187?').missingName).toBeGreaterThan(0.5);
    expect(evidenceOf('Churn of customers').missingName).toBe(0);
    // German writes every noun with a capital
    expect(evidenceOf('Wie hoch ist die Abwanderung?').missingName).toBe(0);
  });
});

describe('standingOf', () => {
  it('is how far a similarity is above an ordinary one, within its span', () => {
    expect(standingOf(0.4, 0.2, 0.4)).toBeCloseTo(0.5);
    expect(standingOf(0.9, 0.2, 0.4)).toBe(1);
    expect(standingOf(0.1, 0.2, 0.4)).toBe(0);
    expect(standingOf(null, 0.2, 0.4)).toBe(0);
  });

  it('is unknown without a vector, and of a model that nobody has measured', () => {
    expect(standingOf(0.9, null, 0.4)).toBeNull();
    expect(standingOf(0.9, 0.2, 0)).toBeNull();
  });
});

describe('bearingConfidence', () => {
  it('rises with all that speaks for a text and falls with all that speaks against it', () => {
    for (const standing of [null, 0.3]) {
      const base: Evidence = {
        ...{ told: 0.5, specific: 0.4, unknown: 0.5, missingName: 0.5, unknownName: 0.5 },
        standing,
      };
      const of = (change: Partial<Evidence>) => bearingConfidence({ ...base, ...change });
      for (const feature of ['told', 'specific'] as const) {
        expect(of({ [feature]: 0.9 }), feature).toBeGreaterThan(of({}));
      }
      for (const feature of ['unknown', 'missingName', 'unknownName'] as const) {
        expect(of({ [feature]: 0.9 }), feature).toBeLessThan(of({}));
      }
    }
    expect(bearingConfidence({ ...NOTHING, standing: 0.8 })).toBeGreaterThan(
      bearingConfidence({ ...NOTHING, standing: 0.3 }),
    );
  });

  it('is none where nothing speaks for a text', () => {
    expect(bearingConfidence(NOTHING)).toBe(0);
    expect(bearingConfidence({ ...NOTHING, standing: 0 })).toBe(0);
  });

  it('tells an answer from what is of another world, in words alone too', () => {
    for (const standing of [null, 0.4]) {
      expect(confidenceIn('Why is enterprise churn so high?', TEXT, standing)).toBeGreaterThan(0.6);
      expect(confidenceIn('Explain quarks in quantum chromodynamics', TEXT, standing)).toBeLessThan(0.15);
    }
  });
});
