import type { FileSource } from '../contract/staleness.ts';
import type { Assumption } from '../contract/state.ts';
import { type AppError, wrongField } from '../errors.ts';
import { claimOf, findTwin } from './same-statement.ts';

/**
 * What becomes `validated` needs something that makes it so.
 *
 * @throws AppError `invalid_request`, with a pointer to the evidence
 */
export function requireSupport(
  evidence: readonly string[] | undefined,
  sources: readonly FileSource[],
  pointer = '/evidence',
): void {
  if (evidence?.length || sources.length > 0) return;
  throw wrongField('invalid_request', {
    pointer,
    detail:
      'What makes it `validated` is missing: name the observed data or the primary source in `evidence` (what the user said, word for word, or a note of the measurement), or the number of a document that was shown in `cites`. Without it the confidence is `informed` or `guessed`.',
    code: 'missing',
  });
}

/**
 * An assumption may not come to say what another says.
 *
 * @throws AppError `invalid_request`
 */
export function refuseTwin(assumptions: readonly Assumption[], id: string, statement: string): void {
  const twin = findTwin(assumptions, statement, id);
  if (twin) throw isTwin(twin, '/statement');
}

const isTwin = ({ id }: Assumption, pointer: string): AppError =>
  wrongField('invalid_request', {
    pointer,
    detail: `${id} says this already: update that one.`,
    code: 'duplicate',
  });

/**
 * Checks what a client has added or changed: two assumptions may not come to say the same, and what becomes `validated`
 * names its support. What was so before is left alone, so that a register can be sent back as it was read.
 *
 * @throws AppError `invalid_request`
 */
export function checkNews(
  before: readonly Assumption[],
  after: readonly Assumption[],
  pointer: string,
): void {
  const known = new Map(before.map((each) => [each.id, each]));
  const firstWith = new Map<string, Assumption>();
  for (const [index, each] of after.entries()) {
    const old = known.get(each.id);
    const claim = claimOf(each.statement);
    const twin = firstWith.get(claim);
    if (!twin) firstWith.set(claim, each);
    else if ([each, twin].some(({ id, statement }) => known.get(id)?.statement !== statement)) {
      throw isTwin(twin, `${pointer}/${index}/statement`);
    }
    if (each.confidence === 'validated' && old?.confidence !== 'validated') {
      requireSupport(each.evidence, each.sources, `${pointer}/${index}/evidence`);
    }
  }
}
