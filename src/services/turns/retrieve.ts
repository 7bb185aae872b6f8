import { performance } from 'node:perf_hooks';
import type { RerankReport, SearchStrategy } from '../../contract/passage.ts';
import { DEFAULT_SOURCES } from '../../contract/source.ts';
import { searchText } from '../../copilot/search-text.ts';
import type { Probe } from '../../knowledge/entry.ts';
import { type Candidates, findCandidates, orderCandidates } from '../../retrieval/find-documents.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import type { Passage, RecalledTurn } from '../../retrieval/passage.ts';
import { blendVectors } from '../../retrieval/query-vector.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { searchTurns } from '../../retrieval/turns.ts';
import type { Scope, Source } from '../../scope.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import type { TurnDeps } from './deps.ts';
import { querySpending } from './query-spending.ts';
import type { Preparation } from './turn-run.ts';

/** What a search has found, before it is known which files the message is about, and whether it is needed. */
export interface Searched {
  documents: Candidates;
  /** Those that bear on the message. */
  recalled: RecalledTurn[];
  /** The least confidence that counts as bearing on the message. */
  minScore: number;
  /** How earlier turns were searched; null: they were not. */
  turnStrategy: SearchStrategy | null;
  searchMs: number;
}

/** What a turn has looked up. */
export interface Retrieved {
  /** In the order of their ranking, however little they bear on the message; more than are wanted. */
  passages: Passage[];
  recalled: RecalledTurn[];
  /** Sections of files that were searched. */
  considered: number;
  minScore: number;
  strategies: { documents: SearchStrategy; turns: SearchStrategy | null };
  /** What became of the order that a reranker was asked for; null: of none. */
  rerank: RerankReport | null;
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

    async search(probeKey: string | null): Promise<Searched> {
      const probes = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
      const vector = await queryVector(probes.find(({ key }) => key === probeKey));
      const minScore = turn.min_score ?? retrievalTuning.relevance.floor;
      const { turnNumber, sources = DEFAULT_SOURCES } = turn;
      return withSpan('turn retrieve', {}, () =>
        searchWith(deps, scope, { text, vector, probeKey, turnNumber, minScore, sources }),
      );
    },

    /**
     * What the turn goes by. Only now a reranker is asked: it costs more than the search, which may not have been needed, or
     * may have gone by another probe.
     */
    async order({ documents, ...searched }: Searched): Promise<Retrieved & { rerankMs: number | null }> {
      const from = performance.now();
      const { reranker } = deps;
      const { hits, considered, strategy, rerank } = await orderCandidates(documents, {
        reranker,
        signal,
        onSpent,
      });
      return {
        passages: hits,
        recalled: searched.recalled,
        considered,
        minScore: searched.minScore,
        strategies: { documents: strategy, turns: searched.turnStrategy },
        rerank,
        rerankMs: rerank && performance.now() - from,
      };
    },
  };
}

async function searchWith(
  { searchDb, embedder, reranker, options }: TurnDeps,
  scope: Scope,
  asked: {
    text: string;
    vector: Float32Array | null;
    probeKey: string | null;
    turnNumber: number;
    minScore: number;
    sources: readonly Source[];
  },
): Promise<Searched> {
  const from = performance.now();
  const { text, vector, probeKey, minScore } = asked;
  const { calibration, mode } = embedder;
  const query = { text, vector, calibration, mode, explain: false };
  const beforeTurn = asked.turnNumber - options.window;
  const limit = options.maxConversationResults;
  const db = await searchDb.current();
  const [documents, turns] = await Promise.all([
    findCandidates(
      db,
      scope,
      asked.sources,
      {
        ...query,
        limit: options.maxDocumentResults * TUNING.spare,
        filters: { filenames: [], headerPath: [], mediaTypes: [] },
      },
      reranker,
    ),
    beforeTurn > 1 && limit > 0
      ? searchTurns(db, scope, { ...query, limit, beforeTurn, boostProbe: probeKey })
      : null,
  ]);
  return {
    documents,
    recalled: aboveFloor(turns?.hits ?? [], minScore).hits,
    minScore,
    turnStrategy: turns?.strategy ?? null,
    searchMs: performance.now() - from,
  };
}
