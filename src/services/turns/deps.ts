import type { TurnEvent } from '../../contract/turn-event.ts';
import type { Calibrator } from '../../copilot/token-calibration.ts';
import type { Database } from '../../db/database.ts';
import type { SearchDatabase } from '../../db/search-database.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import type { Knowledge } from '../../knowledge/entry.ts';
import type { LanguageModel } from '../../llm/model.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import type { Reranker } from '../../retrieval/rerank.ts';
import type { Scope } from '../../scope.ts';
import type { Live } from '../followed/kind.ts';
import type { QueryUsage } from '../query-usage.ts';
import type { TurnTools } from './turn-tools.ts';

export interface TurnOptions {
  /** Tokens of the large model's prompt, of the same for a turn without retrieval, and of the router's request. */
  budgets: { turn: number; filler: number; router: number };
  /** So many of the last turns are always in the prompt. */
  window: number;
  maxDocumentResults: number;
  maxConversationResults: number;
  /** Calls to the large model in a turn. */
  maxToolRounds: number;
  maxOutputTokens: number;
  leaseSeconds: number;
  /** Turns of a workspace that may be in progress at a time, on all instances; 0: any number. */
  mostAtOnce: number;
  /** How often it is looked whether running turns were cancelled through another instance. */
  watchMs?: number;
  /** How long the router may take before the turn goes on without it. */
  routeTimeoutMs: number;
  /** The same of turns that are answered by research. */
  research: { maxSteps: number; tokenBudget: number; timeoutMs: number };
  /** How long a whole turn may take. */
  turnTimeoutMs: number;
}

/** An event as it happens. */
export type LiveEvent = Live<TurnEvent>;

export type TurnEventSink = (scope: Scope, turnNumber: number, event: LiveEvent) => void;

/** What turns need from outside. */
export interface TurnDeps {
  db: Database;
  searchDb: SearchDatabase;
  knowledge: Knowledge;
  models: { answer: LanguageModel; router: LanguageModel; summary: LanguageModel };
  embeddingModel: EmbeddingModel;
  embedder: QueryEmbedder;
  /** Null: there is none. */
  reranker: Reranker | null;
  queryUsage: QueryUsage;
  tools: TurnTools;
  options: TurnOptions;
  /** What is known of how the providers count tokens. */
  calibrator: Calibrator;
  /** Told of every event of every turn that runs here. It must not throw. */
  onEvent?: TurnEventSink;
  /** Told when an extract stands for a summary, since the model failed. */
  onExtract?: () => void;
  /** Called when a job was committed. */
  nudgeJobs?: () => void;
  log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  now?: () => Date;
}
