import { check, jsonPointer } from '../checking/check.ts';
import {
  type Assumption,
  emptyState,
  MAX_ASSUMPTIONS,
  type ProjectState,
  projectStateSchema,
  skeletonFieldSchema,
} from '../contract/state.ts';
import { AppError, type FieldError, wrongField } from '../errors.ts';
import { checkNews } from './assumption-rules.ts';
import { flagAtRisk } from './dependencies.ts';
import { applyMergePatch, isJsonObject } from './merge-patch.ts';
import { checkRegister, nextId, unique } from './register.ts';
import { checkRouting } from './routing.ts';
import { type Skeleton, setSkeletonField } from './skeleton.ts';
import { confirmed, markStale, taken } from './staleness.ts';

// Derived by the service; a patch that names one is refused, so that nobody believes to have changed it.
const READ_ONLY = ['file_summaries', 'turn_count', 'schema_version'];
// The service's part of a skeleton entry: what a client sends for them (as when it sends back what it read) is ignored.
const KEPT_BY_SERVICE = ['turn', 'updated_at', 'history', 'sources', 'stale'];
// What a client can change of an assumption: doing so confirms the rest of it.
const CLIENTS_PART = ['statement', 'confidence', 'impact', 'status', 'depends_on', 'evidence'] as const;

/**
 * Changes a state by a client's JSON Merge Patch. Null resets a member to its empty value; for a skeleton field it
 * erases the field with its history. A skeleton field may be given as its text or as `{value}`: a changed value goes
 * to the history, with `turn` null. A new assumption needs `statement`, `confidence` and `impact`; the rest is filled in.
 * Dependants of an invalidated assumption become `at_risk`, as everywhere. What is stale is confirmed by changing it, by
 * naming a skeleton field, or by an assumption's `stale: []`; sending the mark back as it was read leaves it. No assumption
 * may come to say what another says, or become `validated` without evidence.
 *
 * @throws AppError `invalid_request` with JSON pointers, `unknown_field_value`, `dependency_cycle`
 */
export function patchState(
  state: ProjectState,
  patch: unknown,
  { now = new Date() }: { now?: Date } = {},
): ProjectState {
  if (!isJsonObject(patch)) throw invalid('', 'The patch must be a JSON object.');
  refuseReadOnly(patch, state);
  const { skeleton, assumptions, ...rest } = patch;
  const merged = applyMergePatch(state, rest) as Record<string, unknown>;
  const empty = emptyState();
  const checked = check(projectStateSchema, {
    ...empty,
    ...merged,
    routing: isJsonObject(merged.routing)
      ? { ...empty.routing, ...merged.routing }
      : (merged.routing ?? empty.routing),
    ...(skeleton !== undefined && { skeleton: patchedSkeleton(state.skeleton, skeleton, now) }),
    ...(assumptions !== undefined && { assumptions: completedAssumptions(state.assumptions, assumptions) }),
  });
  if (!checked.ok) {
    const { errors } = checked;
    const detail = `The patch would make the state invalid: ${errors[0]?.pointer}: ${errors[0]?.detail}`;
    throw new AppError('invalid_request', { detail, errors });
  }
  const next = checked.value;
  checkRegister(next.assumptions, '/assumptions');
  checkNews(state.assumptions, next.assumptions, '/assumptions');
  return markStale({
    ...next,
    assumptions: flagAtRisk(next.assumptions).assumptions,
    routing: checkRouting(next.routing, state.routing),
  });
}

function refuseReadOnly(patch: Record<string, unknown>, state: ProjectState): void {
  const named = READ_ONLY.filter((field) => Object.hasOwn(patch, field));
  // sent back as it was read, it changes nothing: the rest of the routing may have been changed
  const { routing } = patch;
  const summary = isJsonObject(routing) ? routing.conversation_summary : undefined;
  if (summary !== undefined && summary !== state.routing.conversation_summary)
    named.push('routing/conversation_summary');
  const errors: FieldError[] = named.map((field) => ({
    pointer: `/${field}`,
    detail: 'This field is derived by the service and cannot be written.',
    code: 'read_only',
  }));
  if (errors.length === 0) return;
  const names = errors.map(({ pointer }) => pointer.slice(1)).join(', ');
  throw new AppError('invalid_request', { detail: `Not to be written by a client: ${names}.`, errors });
}

/** The skeleton after the patch; what is wrong in it is left in place for the schema to name. */
function patchedSkeleton(current: Skeleton, patch: unknown, now: Date): unknown {
  if (patch === null) return {};
  if (!isJsonObject(patch)) return patch;
  let skeleton = current;
  const erased = new Set<string>();
  const wrong = new Map<string, unknown>();
  for (const [key, given] of Object.entries(patch)) {
    const field = skeletonFieldSchema.safeParse(key);
    if (!field.success) throw invalid(jsonPointer(['skeleton', key]), 'There is no such skeleton field.');
    const value = fieldValue(given);
    if (given === null) erased.add(key);
    else if (value === undefined) wrong.set(key, given);
    else if (!isSentBack(given) || value.trim() !== (skeleton[field.data]?.value ?? '')) {
      skeleton = setSkeletonField(skeleton, field.data, value, { turn: null, now });
    }
  }
  const kept = Object.entries(skeleton).filter(([key]) => !erased.has(key));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(wrong) };
}

/** Whether an entry has its mark still on it, as when a client sends back what it read. */
const isSentBack = (given: unknown): boolean =>
  isJsonObject(given) && Array.isArray(given.stale) && given.stale.length > 0;

/** The text of a skeleton field as a client may write it; undefined when it did not. */
function fieldValue(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (!isJsonObject(given) || typeof given.value !== 'string') return undefined;
  const others = Object.keys(given).filter((key) => key !== 'value' && !KEPT_BY_SERVICE.includes(key));
  return others.length === 0 ? given.value : undefined;
}

/** The client's register with the members filled in that it may leave out. */
function completedAssumptions(current: readonly Assumption[], given: unknown): unknown {
  if (given === null) return [];
  if (!Array.isArray(given)) return given;
  if (given.length > MAX_ASSUMPTIONS) {
    throw invalid('/assumptions', `There can be no more than ${MAX_ASSUMPTIONS} assumptions.`);
  }
  const known = new Map<unknown, Assumption>(current.map((each) => [each.id, each]));
  // Ids of the present register count as taken even if the client drops them, so that none changes its meaning.
  const taken: { id: string }[] = [...current];
  for (const each of given) {
    if (isJsonObject(each) && typeof each.id === 'string' && /^a\d{1,6}$/.test(each.id))
      taken.push({ id: each.id });
  }
  return given.map((each: unknown) => {
    if (!isJsonObject(each)) return each;
    const id = each.id ?? nextId(taken);
    if (each.id === undefined) taken.push({ id: String(id) });
    const depends_on = Array.isArray(each.depends_on) ? unique(each.depends_on) : (each.depends_on ?? []);
    const before = known.get(id);
    const now = {
      status: 'active',
      evidence: [],
      source_turn: before?.source_turn ?? null,
      ...each,
      depends_on,
    };
    return { ...now, id, ...provenanceOf(before, now) };
  });
}

function provenanceOf(before: Assumption | undefined, now: Record<string, unknown>) {
  if (!before) return taken([]);
  const { sources, stale } = before;
  const changed = CLIENTS_PART.some((key) => JSON.stringify(now[key]) !== JSON.stringify(before[key]));
  const cleared = Array.isArray(now.stale) && now.stale.length === 0;
  return changed || cleared ? confirmed(before) : { sources, stale };
}

const invalid = (pointer: string, detail: string): AppError =>
  wrongField('invalid_request', { pointer, detail, code: 'invalid' });
