import { performance } from 'node:perf_hooks';
import type { SearchStrategy } from '../../contract/passage.ts';
import type { Probe } from '../../knowledge/entry.ts';
import { searchDocuments } from '../../retrieval/documents.ts';
import type { Passage, RecalledTurn } from '../../retrieval/passage.ts';
import { blendVectors } from '../../retrieval/query-vector.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { searchTurns } from '../../retrieval/turns.ts';
import type { Scope } from '../../scope.ts';
import type { TurnDeps } from './deps.ts';
import type { Preparation } from './turn-run.ts';

export interface Retrieved {
  passages: Passage[];
  recalled: RecalledTurn[];
  strategies: { documents: SearchStrategy; turns: SearchStrategy | null };
  searchMs: number;
}

const TUNING = retrievalTuning.message;

/** What a probe is embedded as. */
export const probeText = (probe: Probe): string =>
  `${probe.title}. ${probe.fires_when} ${probe.questions.join(' ')}`;

/** Looks up what bears on one message; the message is embedded once, whichever probe it is searched with. */
export function createRetrieval({ deps, scope, turn, signal }: Preparation) {
  const { embedder, knowledge } = deps;
  const text = turn.message.slice(0, TUNING.longest);
  const startedAt = performance.now();
  let embedMs = 0;
  const own = embedder.embed(text, signal).then((value) => {
    embedMs = performance.now() - startedAt;
    return value;
  });
  own.catch(() => undefined); // awaited by the searches, if there is one

  async function queryVector(probe: Probe | undefined): Promise<Float32Array | null> {
    const [message, asked] = await Promise.all([
      own,
      probe ? embedder.embed(probeText(probe), signal) : null,
    ]);
    return message && asked ? blendVectors(message, asked, TUNING.probeShare) : message;
  }

  return {
    /** Milliseconds until the message had its vector. */
    embedMs: () => embedMs,

    async search(probeKey: string | null): Promise<Retrieved> {
      const probes = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
      const vector = await queryVector(probes.find(({ key }) => key === probeKey));
      return searchWith(deps, scope, { text, vector, probeKey, turnNumber: turn.turnNumber });
    },
  };
}

async function searchWith(
  { db, embedder, options }: TurnDeps,
  scope: Scope,
  asked: { text: string; vector: Float32Array | null; probeKey: string | null; turnNumber: number },
): Promise<Retrieved> {
  const from = performance.now();
  const { text, vector, probeKey } = asked;
  const { fusionWeight } = embedder.calibration;
  const query = { text, vector, fusionWeight, mode: 'hybrid', explain: false } as const;
  const beforeTurn = asked.turnNumber - options.window;
  const limit = options.maxConversationResults;
  const [documents, turns] = await Promise.all([
    searchDocuments(db, scope, {
      ...query,
      limit: options.maxDocumentResults * TUNING.spare,
      filters: { filenames: [], headerPath: [], mediaTypes: [] },
    }),
    beforeTurn > 1 && limit > 0
      ? searchTurns(db, scope, { ...query, limit, beforeTurn, boostProbe: probeKey })
      : null,
  ]);
  return {
    passages: documents.passages,
    recalled: turns?.turns ?? [],
    strategies: { documents: documents.strategy, turns: turns?.strategy ?? null },
    searchMs: performance.now() - from,
  };
}

/** The best passages, those of the files that the message is about a little ahead. */
export function preferFiles(
  passages: readonly Passage[],
  files: readonly string[],
  limit: number,
): Passage[] {
  const rank = (passage: Passage): number =>
    passage.score * (files.includes(passage.filename) ? TUNING.relevantFileBonus : 1);
  return passages.toSorted((a, b) => rank(b) - rank(a)).slice(0, limit);
}
