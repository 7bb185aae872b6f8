import { describe, expect, it } from 'vitest';
import { type SectionEvidence, sectionConfidence } from '../../src/retrieval/section-confidence.ts';
import { FAKE_CALIBRATION } from '../fakes/embedding-model.ts';

const of = (evidence: Partial<SectionEvidence>, calibration = FAKE_CALIBRATION) =>
  sectionConfidence({ cosine: 0, wordShare: 0, headingShare: 0, ...evidence }, calibration);

describe('the confidence in a section', () => {
  it('is 0 without evidence and stays under 1 with all of it', () => {
    expect(of({})).toBe(0);
    expect(of({ cosine: 1, wordShare: 1 })).toBeGreaterThan(0.9);
    expect(of({ cosine: 1, wordShare: 1 })).toBeLessThan(1);
  });
  it('grows with words and with meaning', () => {
    expect(of({ wordShare: 0.3 })).toBeGreaterThan(of({ wordShare: 0.2 }));
    expect(of({ wordShare: 0.2, cosine: 0.6 })).toBeGreaterThan(of({ wordShare: 0.2, cosine: 0.4 }));
  });
  it('takes a cosine for what it says in the model that it comes from', () => {
    const evidence = { cosine: 0.6, wordShare: 0.2 };
    const narrow = { ...FAKE_CALIBRATION, leastCosine: 0.6 };
    expect(of(evidence, narrow)).toBe(of({ wordShare: 0.2 }));
    expect(of(evidence, narrow)).toBeLessThan(of(evidence));
  });
  it('counts headings where there is no vector only', () => {
    expect(of({ cosine: null, wordShare: 0.2, headingShare: 1 })).toBeGreaterThan(
      of({ cosine: null, wordShare: 0.2 }),
    );
    expect(of({ cosine: 0.5, wordShare: 0.2, headingShare: 1 })).toBe(of({ cosine: 0.5, wordShare: 0.2 }));
  });
});
