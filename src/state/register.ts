import type { FileSource } from '../contract/staleness.ts';
import { type Assumption, MAX_ASSUMPTIONS, MAX_DEPENDENCIES, MAX_EVIDENCE } from '../contract/state.ts';
import { AppError, wrongField } from '../errors.ts';
import { refuseTwin, requireSupport } from './assumption-rules.ts';
import { dependantsOf, findCycle, flagAtRisk } from './dependencies.ts';
import type { AssumptionUpdate, NewAssumption } from './inputs.ts';
import { findTwin } from './same-statement.ts';
import { confirmed, taken } from './staleness.ts';

const HIGHEST_NUMBER = 999_999;

export interface RegisterChange {
  assumptions: Assumption[];
  /** The one that was asked for, as it is now. */
  assumption: Assumption;
  /** Others that this change put at risk. */
  flagged: string[];
  /** It was to be added, and said what one of the register says already: that one is `assumption`. */
  isKnown?: true;
}

/**
 * Adds an assumption as `a1`, `a2`, ... It starts `at_risk` when it rests on an invalidated one. One whose statement is in
 * the register, however it is written, is not added again: what is new of it goes to the one that is there.
 *
 * @param turn the turn that registers it; null for a client
 * @param sources the files that it is taken from
 * @throws AppError `unknown_field_value` (a dependency that does not exist), `dependency_cycle`, `invalid_request` (the
 *   register is full, or nothing supports what is to be `validated`)
 */
export function registerAssumption(
  assumptions: readonly Assumption[],
  input: NewAssumption,
  turn: number | null,
  sources: readonly FileSource[] = [],
): RegisterChange {
  const twin = findTwin(assumptions, input.statement);
  if (twin) return { ...updateAssumption(assumptions, broughtBy(input, twin), sources), isKnown: true };
  if (input.confidence === 'validated') requireSupport(input.evidence, sources);
  if (assumptions.length >= MAX_ASSUMPTIONS) {
    throw new AppError('invalid_request', {
      detail: `The register holds ${MAX_ASSUMPTIONS} assumptions, the most it can. Update an existing one.`,
    });
  }
  const added: Assumption = {
    id: nextId(assumptions),
    statement: input.statement,
    confidence: input.confidence,
    impact: input.impact,
    status: 'active',
    depends_on: unique(input.depends_on ?? []),
    source_turn: turn,
    evidence: unique(input.evidence ?? []),
    ...taken(sources),
  };
  checkKnown(assumptions, added.depends_on, '/depends_on');
  return settled([...assumptions, added], added.id);
}

/**
 * Changes what `update` names of one assumption; `evidence` is added to what is there, `depends_on` replaces it.
 * Invalidating it puts every transitive dependant at risk. Any update confirms what was stale. It becomes `validated`
 * only with what the update names for it.
 *
 * @param sources the files that the update is taken from
 * @throws AppError `unknown_field_value` (no such assumption or dependency), `dependency_cycle`, `invalid_request`
 */
export function updateAssumption(
  assumptions: readonly Assumption[],
  update: AssumptionUpdate,
  sources: readonly FileSource[] = [],
): RegisterChange {
  checkKnown(assumptions, [update.id], '/id');
  if (update.depends_on) checkKnown(assumptions, update.depends_on, '/depends_on');
  if (update.statement !== undefined) refuseTwin(assumptions, update.id, update.statement);
  const changed = assumptions.map((each) =>
    each.id === update.id ? changedAssumption(each, update, sources) : each,
  );
  refuseCycle(changed, '/depends_on');
  if (update.status === 'active') refuseUnsoundRevival(changed, update.id);
  return settled(changed, update.id);
}

/**
 * Checks what a schema cannot: ids are unique, dependencies exist and form no circle. Pointers begin with `pointer`.
 *
 * @throws AppError `invalid_request`, `unknown_field_value`, `dependency_cycle`
 */
export function checkRegister(assumptions: readonly Assumption[], pointer: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of assumptions.entries()) {
    if (seen.has(id)) {
      throw wrongField('invalid_request', {
        pointer: `${pointer}/${index}/id`,
        detail: `${id} is the id of two assumptions.`,
        code: 'duplicate',
      });
    }
    seen.add(id);
  }
  for (const [index, { depends_on }] of assumptions.entries()) {
    checkKnown(assumptions, depends_on, `${pointer}/${index}/depends_on`, seen);
  }
  refuseCycle(assumptions, pointer);
}

/** The id of the next assumption: one above the highest, or the lowest free one when the numbers are used up. */
export function nextId(assumptions: readonly Pick<Assumption, 'id'>[]): string {
  const numbers = new Set(assumptions.map(({ id }) => Number(id.slice(1))));
  let number = Math.max(0, ...numbers) + 1;
  if (number > HIGHEST_NUMBER) for (number = 1; numbers.has(number); ) number += 1;
  return `a${number}`;
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const CONFIDENCE = ['guessed', 'informed', 'validated'] as const;
const IMPACT = ['low', 'medium', 'high'] as const;

/**
 * What registering it once more adds to the assumption that is there: support, dependencies, a higher confidence or impact.
 * To lower them or to settle its status somebody must have looked at it, which is an update by its id.
 */
function broughtBy(input: NewAssumption, twin: Assumption): AssumptionUpdate {
  return {
    id: twin.id,
    confidence: higher(CONFIDENCE, input.confidence, twin.confidence),
    impact: higher(IMPACT, input.impact, twin.impact),
    depends_on: [...twin.depends_on, ...(input.depends_on ?? [])],
    ...(input.evidence && { evidence: input.evidence }),
  };
}

const higher = <T>(scale: readonly T[], a: T, b: T): T => (scale.indexOf(a) > scale.indexOf(b) ? a : b);

function changedAssumption(
  current: Assumption,
  update: AssumptionUpdate,
  sources: readonly FileSource[],
): Assumption {
  if (update.confidence === 'validated' && current.confidence !== 'validated') {
    requireSupport(update.evidence, sources);
  }
  const evidence = unique([...current.evidence, ...(update.evidence ?? [])]);
  if (evidence.length > MAX_EVIDENCE) {
    throw new AppError('invalid_request', {
      detail: `${current.id} can hold ${MAX_EVIDENCE} pieces of evidence and has ${current.evidence.length}.`,
    });
  }
  const depends_on = unique(update.depends_on ?? current.depends_on);
  if (depends_on.length > MAX_DEPENDENCIES) {
    throw new AppError('invalid_request', {
      detail: `${current.id} can depend on ${MAX_DEPENDENCIES} assumptions, and would on ${depends_on.length}.`,
    });
  }
  return {
    ...current,
    statement: update.statement ?? current.statement,
    confidence: update.confidence ?? current.confidence,
    impact: update.impact ?? current.impact,
    status: update.status ?? current.status,
    depends_on,
    evidence,
    ...confirmed(current, sources),
  };
}

function settled(register: Assumption[], id: string): RegisterChange {
  const { assumptions, flagged } = flagAtRisk(register);
  const assumption = assumptions.find((each) => each.id === id);
  if (!assumption) throw new Error(`the register lost ${id}`);
  return { assumptions, assumption, flagged: flagged.filter((each) => each !== id) };
}

function checkKnown(
  assumptions: readonly Assumption[],
  ids: readonly string[],
  pointer: string,
  known: ReadonlySet<string> = new Set(assumptions.map(({ id }) => id)),
): void {
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing === -1) return;
  const detail =
    assumptions.length === 0
      ? `There is no assumption "${ids[missing]}": the register is empty.`
      : `There is no assumption "${ids[missing]}". The register ends at ${assumptions.at(-1)?.id}.`;
  throw wrongField('unknown_field_value', {
    pointer: pointer === '/id' ? pointer : `${pointer}/${missing}`,
    detail,
    code: 'unknown',
  });
}

function refuseCycle(assumptions: readonly Assumption[], pointer: string): void {
  const cycle = findCycle(assumptions);
  if (cycle === null) return;
  const detail = `The assumptions would depend on each other in a circle: ${cycle.join(' -> ')}.`;
  throw wrongField('dependency_cycle', { pointer, detail, code: 'cycle' });
}

// Marking one as active while what it rests on is invalidated would be undone by the cascade at once: say so instead.
function refuseUnsoundRevival(assumptions: readonly Assumption[], id: string): void {
  const fallen = assumptions.find(
    (each) => each.status === 'invalidated' && dependantsOf(assumptions, [each.id]).has(id),
  );
  if (!fallen) return;
  const detail = `${id} rests on ${fallen.id}, which is invalidated. Take that dependency away, or settle ${fallen.id} first.`;
  throw wrongField('invalid_request', { pointer: '/status', detail, code: 'at_risk' });
}
