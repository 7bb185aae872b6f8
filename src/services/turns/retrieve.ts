import { performance } from 'node:perf_hooks';
import type { RerankReport, SearchStrategy } from '../../contract/passage.ts';
import { DEFAULT_SOURCES } from '../../contract/source.ts';
import { searchText } from '../../copilot/search-text.ts';
import type { Probe } from '../../knowledge/entry.ts';
import { findDocuments } from '../../retrieval/find-documents.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import type { Passage, RecalledTurn } from '../../retrieval/passage.ts';
import type { OnQuerySpent } from '../../retrieval/query-spending.ts';
import { blendVectors } from '../../retrieval/query-vector.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { searchTurns } from '../../retrieval/turns.ts';
import type { Scope, Source } from '../../scope.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import type { TurnDeps } from './deps.ts';
import { querySpending } from './query-spending.ts';
import type { Preparation } from './turn-run.ts';

/** What a search has found, before it is known which files the message is about. */
export interface Retrieved {
  /** In the order of their ranking, however little they bear on the message; more than are wanted. */
  passages: Passage[];
  /** Those that bear on the message. */
  recalled: RecalledTurn[];
  /** Sections of files that were searched. */
  considered: number;
  /** The least confidence that counts as bearing on the message. */
  minScore: number;
  strategies: { documents: SearchStrategy; turns: SearchStrategy | null };
  /** What became of the order that a reranker was asked for; null: of none. */
  rerank: RerankReport | null;
  searchMs: number;
}

const TUNING = retrievalTuning.message;

/** What a probe is embedded as. */
export const probeText = (probe: Probe): string =>
  `${probe.title}. ${probe.fires_when} ${probe.questions.join(' ')}`;

/** Looks up what bears on one message; the message is embedded once, whichever probe it is searched with. */
export function createRetrieval(preparation: Preparation) {
  const { deps, scope, turn, signal } = preparation;
  const { embedder, knowledge } = deps;
  const onSpent = querySpending(preparation);
  const text = searchText(turn.message).slice(0, TUNING.longest);
  const startedAt = performance.now();
  let embedMs = 0;
  const own = withSpan('turn embed', {}, async () => {
    const vector = await embedder.embed(text, signal, onSpent);
    embedMs = performance.now() - startedAt;
    return vector;
  });
  own.catch(() => undefined); // awaited by the searches, if there is one

  async function queryVector(probe: Probe | undefined): Promise<Float32Array | null> {
    const [message, asked] = await Promise.all([
      own,
      probe ? embedder.embed(probeText(probe), signal, onSpent) : null,
    ]);
    return message && asked ? blendVectors(message, asked, TUNING.probeShare) : message;
  }

  return {
    /** Milliseconds until the message had its vector. */
    embedMs: () => embedMs,

    async search(probeKey: string | null): Promise<Retrieved> {
      const probes = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
      const vector = await queryVector(probes.find(({ key }) => key === probeKey));
      const minScore = turn.min_score ?? retrievalTuning.relevance.floor;
      const { turnNumber, sources = DEFAULT_SOURCES } = turn;
      return withSpan('turn retrieve', {}, () =>
        searchWith(deps, scope, { text, vector, probeKey, turnNumber, minScore, sources, signal, onSpent }),
      );
    },
  };
}

async function searchWith(
  { db, embedder, reranker, options }: TurnDeps,
  scope: Scope,
  asked: {
    text: string;
    vector: Float32Array | null;
    probeKey: string | null;
    turnNumber: number;
    minScore: number;
    sources: readonly Source[];
    signal: AbortSignal;
    onSpent: OnQuerySpent;
  },
): Promise<Retrieved> {
  const from = performance.now();
  const { text, vector, probeKey, minScore } = asked;
  const { calibration, mode } = embedder;
  const query = { text, vector, calibration, mode, explain: false };
  const beforeTurn = asked.turnNumber - options.window;
  const limit = options.maxConversationResults;
  const [documents, turns] = await Promise.all([
    findDocuments(
      db,
      scope,
      asked.sources,
      {
        ...query,
        limit: options.maxDocumentResults * TUNING.spare,
        filters: { filenames: [], headerPath: [], mediaTypes: [] },
      },
      { reranker, signal: asked.signal, onSpent: asked.onSpent },
    ),
    beforeTurn > 1 && limit > 0
      ? searchTurns(db, scope, { ...query, limit, beforeTurn, boostProbe: probeKey })
      : null,
  ]);
  return {
    passages: documents.hits,
    recalled: aboveFloor(turns?.hits ?? [], minScore).hits,
    considered: documents.considered,
    minScore,
    strategies: { documents: documents.strategy, turns: turns?.strategy ?? null },
    rerank: documents.rerank,
    searchMs: performance.now() - from,
  };
}
