import type { Assumption } from '../contract/state.ts';

type Node = Pick<Assumption, 'id' | 'depends_on'>;

/** Ids of everything that depends, directly or through others, on one of `ids`. */
export function dependantsOf(nodes: readonly Node[], ids: Iterable<string>): Set<string> {
  const dependants = new Map<string, string[]>();
  for (const { id, depends_on } of nodes) {
    for (const target of depends_on) {
      const known = dependants.get(target);
      if (known) known.push(id);
      else dependants.set(target, [id]);
    }
  }
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const dependant of dependants.get(id) ?? []) {
      if (found.has(dependant)) continue;
      found.add(dependant);
      open.push(dependant);
    }
  }
  return found;
}

/**
 * A circle of dependencies as the ids along it, the first one repeated at its end; null when there is none. A
 * depth-first search with its own stack, so that a long chain cannot exhaust the call stack.
 */
export function findCycle(nodes: readonly Node[]): string[] | null {
  const targets = new Map(nodes.map(({ id, depends_on }) => [id, depends_on]));
  const finished = new Set<string>();
  for (const { id } of nodes) {
    const path = finished.has(id) ? [] : [{ id, next: 0 }];
    const onPath = new Set(path.map((step) => step.id));
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const target = targets.get(step.id)?.[step.next];
      step.next += 1;
      if (target === undefined) {
        finished.add(step.id);
        onPath.delete(step.id);
        path.pop();
      } else if (onPath.has(target)) {
        const ids = path.map((each) => each.id);
        return [...ids.slice(ids.indexOf(target)), target];
      } else if (!finished.has(target)) {
        path.push({ id: target, next: 0 });
        onPath.add(target);
      }
    }
  }
  return null;
}

/**
 * The cascade: every active assumption that rests, however far down, on an invalidated one becomes `at_risk`. One that is
 * at risk stays so until someone settles it, even when what it rests on is believed again.
 *
 * @returns the whole register, and the ids that changed
 */
export function flagAtRisk(assumptions: readonly Assumption[]): {
  assumptions: Assumption[];
  flagged: string[];
} {
  const invalidated = assumptions.filter(({ status }) => status === 'invalidated').map(({ id }) => id);
  const shaken = dependantsOf(assumptions, invalidated);
  const flagged = assumptions
    .filter(({ id, status }) => status === 'active' && shaken.has(id))
    .map(({ id }) => id);
  const marked = new Set(flagged);
  return {
    assumptions: assumptions.map((each) =>
      marked.has(each.id) ? { ...each, status: 'at_risk' as const } : each,
    ),
    flagged,
  };
}
