import { AppError } from '../errors.ts';

// Far deeper than any document of ours; beyond it a hostile patch would exhaust the call stack.
const DEEPEST = 64;

/**
 * JSON Merge Patch (RFC 7386, section 2): members of `patch` replace those of `target`, null removes, arrays are
 * replaced whole. Neither argument is modified. Keys such as `__proto__` are ordinary keys, never prototypes.
 *
 * @throws AppError `invalid_request` when the patch is nested more than 64 deep
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  return merge(target, patch, 0);
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function merge(target: unknown, patch: unknown, depth: number): unknown {
  if (!isJsonObject(patch)) return patch;
  if (depth >= DEEPEST) {
    throw new AppError('invalid_request', { detail: `The patch is nested more than ${DEEPEST} deep.` });
  }
  // A map and `fromEntries` define keys as data; an assignment to `__proto__` would set a prototype.
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key);
    else members.set(key, merge(members.get(key), value, depth + 1));
  }
  return Object.fromEntries(members);
}
