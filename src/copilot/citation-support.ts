import type { Citation } from '../contract/citation.ts';
import { checkClaim } from './claim-check.ts';

/** What is known of whether a claim is supported. */
export type Support = Pick<Citation, 'support' | 'missing'>;

/** A citation as far as its claim is looked at. */
interface Claimed {
  claim?: string | undefined;
  quote: string;
}

/**
 * Compares each claim with all that is cited for it together: figures of one sentence often stand in two places.
 *
 * @param sectionOf what was shown of the section that a citation stands in; null when that is not known
 * @returns in the citations' order; nothing for one without a claim or a section
 */
export function supportOf<C extends Claimed>(
  citations: readonly C[],
  sectionOf: (citation: C) => string | null,
): Support[] {
  const ofClaim = new Map<string, { quotes: string[]; sections: string[] }>();
  for (const citation of citations) {
    const section = sectionOf(citation);
    if (!citation.claim || section === null) continue;
    const evidence = ofClaim.get(citation.claim) ?? { quotes: [], sections: [] };
    evidence.quotes.push(citation.quote);
    if (!evidence.sections.includes(section)) evidence.sections.push(section);
    ofClaim.set(citation.claim, evidence);
  }
  const found = new Map(
    [...ofClaim].map(([claim, evidence]): [string, Support] => {
      const missing = checkClaim(claim, evidence);
      return [claim, { support: missing.length === 0 ? 'supported' : 'unsupported', missing }];
    }),
  );
  return citations.map(({ claim = '' }) => found.get(claim) ?? {});
}
