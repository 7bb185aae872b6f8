import type { FileSource, StaleCause, StaleItem } from '../contract/staleness.ts';
import { type ProjectState, SKELETON_FIELDS } from '../contract/state.ts';

/** What an entry of the state was taken from, and which of these files have changed since. */
export interface Provenance {
  sources: FileSource[];
  stale: StaleCause[];
}

/** Sources that an entry can have; the newest are kept. */
const MAX_SOURCES = 20;
const NAMED_CAUSES = 3;

/**
 * Compares every assumption and skeleton field with the searchable versions of the files that it was taken from. What
 * rests on another version, or on a file that is gone, is marked; a mark stays until someone confirms or changes the
 * entry, even if the file comes back under its name.
 */
export function markStale(state: ProjectState): ProjectState {
  const current = new Map(state.file_summaries.map(({ filename, version }) => [filename, version]));
  const marked = <T extends Provenance>(entry: T): T => {
    const stale = causesOf(entry, current);
    return same(stale, entry.stale) ? entry : { ...entry, stale };
  };
  return {
    ...state,
    assumptions: state.assumptions.map(marked),
    skeleton: Object.fromEntries(
      Object.entries(state.skeleton).map(([field, entry]) => [field, entry && marked(entry)]),
    ),
  };
}

function causesOf({ sources, stale }: Provenance, current: ReadonlyMap<string, number>): StaleCause[] {
  return sources.flatMap(({ filename, version }) => {
    const now = current.get(filename) ?? null;
    const known = stale.some((cause) => cause.filename === filename);
    return known || now !== version ? [{ filename, from_version: version, to_version: now }] : [];
  });
}

/**
 * The provenance of an entry that somebody has just confirmed or changed in part: what was stale counts from the version
 * there is now, a file that is gone is no source any more, and what was read this time comes on top.
 */
export function confirmed(entry: Provenance, read: readonly FileSource[] = []): Provenance {
  const kept = entry.sources.flatMap(({ filename, version }): FileSource[] => {
    const cause = entry.stale.find((each) => each.filename === filename);
    if (!cause) return [{ filename, version }];
    return cause.to_version === null ? [] : [{ filename, version: cause.to_version }];
  });
  return taken([...kept, ...read]);
}

/** The provenance of an entry that was just taken from these files. */
export function taken(sources: readonly FileSource[]): Provenance {
  const byName = new Map(sources.map((source) => [source.filename, source.version]));
  const all = [...byName].map(([filename, version]) => ({ filename, version }));
  return { sources: all.slice(-MAX_SOURCES), stale: [] };
}

/** Why a file's summary is stale: it was made from an earlier version than the searchable one. */
export function summaryCauses(file: ProjectState['file_summaries'][number]): StaleCause[] {
  const { filename, version, summary, summary_version: from } = file;
  if (summary === '' || from === null || from === version) return [];
  return [{ filename, from_version: from, to_version: version }];
}

/** Everything in the state that is stale, in the state's order. */
export function staleItems(state: ProjectState): StaleItem[] {
  const items: StaleItem[] = [
    ...state.assumptions.map(({ id, statement, stale }) => ({
      object: 'stale_item' as const,
      kind: 'assumption' as const,
      id,
      text: statement,
      causes: stale,
    })),
    ...SKELETON_FIELDS.map((id) => ({
      object: 'stale_item' as const,
      kind: 'skeleton_field' as const,
      id,
      text: state.skeleton[id]?.value ?? '',
      causes: state.skeleton[id]?.value ? state.skeleton[id].stale : [],
    })),
    ...state.file_summaries.map((file) => ({
      object: 'stale_item' as const,
      kind: 'file_summary' as const,
      id: file.filename,
      text: file.summary,
      causes: summaryCauses(file),
    })),
  ];
  return items.filter(({ causes }) => causes.length > 0);
}

/** The causes in words: `report.md is now version 3, this is from version 1`; empty without causes. */
export function staleNote(causes: readonly StaleCause[]): string {
  const named = causes
    .slice(0, NAMED_CAUSES)
    .map(({ filename, from_version, to_version }) =>
      to_version === null
        ? `${filename}, version ${from_version}, was deleted`
        : `${filename} is now version ${to_version}, this is from version ${from_version}`,
    );
  const more = causes.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more files changed`] : [])].join('; ');
}

const same = (a: readonly StaleCause[], b: readonly StaleCause[]): boolean =>
  a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
