import type { ProjectState } from '../contract/state.ts';
import type { Provenance } from './staleness.ts';

/** What was taken from a file is taken from it under its new name; whether it is stale is no question of the name. */
export function renameSource(state: ProjectState, from: string, to: string): ProjectState {
  const rename = <T extends { filename: string }>(named: readonly T[]): T[] => {
    if (!named.some(({ filename }) => filename === from)) return [...named];
    // a file that once had the new name is no longer told apart from this one, and this one is there
    return named
      .filter(({ filename }) => filename !== to)
      .map((one) => (one.filename === from ? { ...one, filename: to } : one));
  };
  const renamed = <T extends Provenance>(entry: T): T => ({
    ...entry,
    sources: rename(entry.sources),
    stale: rename(entry.stale),
  });
  return {
    ...state,
    assumptions: state.assumptions.map(renamed),
    skeleton: Object.fromEntries(
      Object.entries(state.skeleton).map(([field, entry]) => [field, entry && renamed(entry)]),
    ),
  };
}
