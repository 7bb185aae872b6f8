import { performance } from 'node:perf_hooks';
import type { SearchStrategy } from '../../contract/passage.ts';
import type { Probe } from '../../knowledge/entry.ts';
import { searchDocuments } from '../../retrieval/documents.ts';
import type { Passage, RecalledTurn } from '../../retrieval/passage.ts';
import { blendVectors } from '../../retrieval/query-vector.ts';
import { searchTurns } from '../../retrieval/turns.ts';
import type { Scope } from '../../scope.ts';
import type { TurnDeps } from './deps.ts';

export interface Retrieved {
  passages: Passage[];
  recalled: RecalledTurn[];
  strategies: { documents: SearchStrategy; turns: SearchStrategy | null };
  searchMs: number;
}

// How far the active probe's text bends the vector of the message: enough to break ties towards what is being asked
// about, too little to lead away from what was said. Words are searched by the message alone: the probe's words are
// ours, not the documents'.
const PROBE_WEIGHT = 0.2;
// A query of a whole pasted page finds nothing in particular.
const QUERY_LENGTH = 4_000;
// What a passage of a file that the message is about has ahead of an equal one of another file.
const RELEVANT_FILE_BONUS = 1.25;
const SPARE = 2;

/** What a probe is embedded as. */
export const probeText = (probe: Probe): string =>
  `${probe.title}. ${probe.fires_when} ${probe.questions.join(' ')}`;

/** Looks up what bears on one message; the message is embedded once, whichever probe it is searched with. */
export function createRetrieval(
  deps: TurnDeps,
  scope: Scope,
  turn: { turnNumber: number; message: string },
  signal: AbortSignal,
) {
  const { db, embedder, options, knowledge } = deps;
  const text = turn.message.slice(0, QUERY_LENGTH);
  const startedAt = performance.now();
  let embedMs = 0;
  const vector = embedder.embed(text, signal).then((value) => {
    embedMs = performance.now() - startedAt;
    return value;
  });
  vector.catch(() => undefined); // awaited by the searches, if there is one

  async function queryVector(probe: Probe | null): Promise<Float32Array | null> {
    const [own, probes] = await Promise.all([
      vector,
      probe ? embedder.embed(probeText(probe), signal) : null,
    ]);
    return own && probes ? blendVectors(own, probes, PROBE_WEIGHT) : own;
  }

  return {
    /** Milliseconds until the message had its vector. */
    embedMs: () => embedMs,

    async search(probeKey: string | null): Promise<Retrieved> {
      const probes = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
      const blended = await queryVector(probes.find(({ key }) => key === probeKey) ?? null);
      const from = performance.now();
      const query = {
        text,
        vector: blended,
        denseWeight: embedder.denseWeight,
        mode: 'hybrid',
        explain: false,
      } as const;
      const beforeTurn = turn.turnNumber - options.window;
      const [documents, turns] = await Promise.all([
        searchDocuments(db, scope, {
          ...query,
          limit: options.maxDocumentResults * SPARE,
          filters: { filenames: [], headerPath: [], mediaTypes: [] },
        }),
        beforeTurn > 1 && options.maxConversationResults > 0
          ? searchTurns(db, scope, {
              ...query,
              limit: options.maxConversationResults,
              beforeTurn,
              boostProbe: probeKey,
            })
          : null,
      ]);
      return {
        passages: documents.passages,
        recalled: turns?.turns ?? [],
        strategies: { documents: documents.strategy, turns: turns?.strategy ?? null },
        searchMs: performance.now() - from,
      };
    },
  };
}

/** The best passages, those of the files that the message is about a little ahead. */
export function preferFiles(
  passages: readonly Passage[],
  files: readonly string[],
  limit: number,
): Passage[] {
  const rank = (passage: Passage): number =>
    passage.score * (files.includes(passage.filename) ? RELEVANT_FILE_BONUS : 1);
  return passages.toSorted((a, b) => rank(b) - rank(a)).slice(0, limit);
}
