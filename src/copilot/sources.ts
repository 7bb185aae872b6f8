import type { FileSource } from '../contract/staleness.ts';
import type { StateChange } from '../state/changes.ts';
import { findMarkers } from './markers.ts';
import type { SentPassage } from './sections/documents.ts';

/**
 * The files that a change of the state is taken from: those whose numbers the call names, and those that its evidence
 * cites or names. What the call says nothing of has no source, so that a fact that the user stated does not go stale
 * with a file that happened to be shown. Files of the library are no sources: the state is told of the project's files alone.
 */
export function sourcesOf(change: StateChange, shown: readonly SentPassage[]): FileSource[] {
  const cites = 'cites' in change.input ? (change.input.cites ?? []) : [];
  const evidence = 'evidence' in change.input ? (change.input.evidence ?? []) : [];
  const numbers = new Set([...cites, ...evidence.flatMap(findMarkers).flatMap((marker) => marker.numbers)]);
  const sources = shown
    .filter(
      ({ marker, passage }) =>
        passage.source === 'project' &&
        (numbers.has(marker) || evidence.some((text) => text.includes(passage.filename))),
    )
    .map(({ passage: { filename, version } }) => ({ filename, version }));
  return [...new Map(sources.map((source) => [source.filename, source])).values()];
}
