import type { Logger } from 'pino';
import { contextTerms, createContexts } from './compose-contexts.ts';
import type { Config } from './config.ts';
import type { Calibrator } from './copilot/token-calibration.ts';
import type { Database } from './db/database.ts';
import type { SearchDatabase } from './db/search-database.ts';
import type { Converter } from './documents/conversion/pool.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import type { Knowledge } from './knowledge/entry.ts';
import type { LanguageModel } from './llm/model.ts';
import type { RerankModel } from './reranking/model.ts';
import type { QueryEmbedder } from './retrieval/query-vector.ts';
import type { Reranker } from './retrieval/rerank.ts';
import { createArchiveService } from './services/archives/archives.ts';
import { createArtifactService } from './services/artifacts.ts';
import type { AuditLog } from './services/audit.ts';
import { createBackupService } from './services/backups/backups.ts';
import { createCitationService } from './services/citations.ts';
import type { ContextService } from './services/contexts/contexts.ts';
import { createEventFeed } from './services/events/feed.ts';
import type { FileChanges } from './services/file-changes.ts';
import { createFileService, type FileService } from './services/files.ts';
import { createIdempotencyService } from './services/idempotency.ts';
import type { Authentication } from './services/keys/authentication.ts';
import { createKeyService } from './services/keys/keys.ts';
import { createLimits } from './services/limits/limits.ts';
import type { QuotaService } from './services/limits/quotas.ts';
import { measured, measureRun, measureTurn } from './services/metrics/runs.ts';
import { createMetricsService } from './services/metrics.ts';
import type { Originals } from './services/originals/originals.ts';
import { createOutlineService, type OutlineService } from './services/outlines/service.ts';
import { createStoredOutlines } from './services/outlines/stored-outlines.ts';
import type { OutlineTelemetry } from './services/outlines/telemetry.ts';
import { createProjectService } from './services/projects.ts';
import type { ProviderHealth } from './services/providers/health.ts';
import type { QueryUsage } from './services/query-usage.ts';
import { createResearchEventLog, createResearchEventService } from './services/research/events.ts';
import { createResearchService } from './services/research/research.ts';
import { createResourceStamps } from './services/resource-stamps.ts';
import { createSearchService } from './services/search.ts';
import type { Services } from './services/services.ts';
import { createStalenessService } from './services/staleness.ts';
import { createSystemService } from './services/system.ts';
import { createToolService } from './services/tools/by-hand.ts';
import type { Tool } from './services/tools/tool.ts';
import { createTools } from './services/tools/tools.ts';
import type { TurnOptions } from './services/turns/deps.ts';
import { createTurnEventLog, createTurnEventService } from './services/turns/events.ts';
import { createTurnImport } from './services/turns/import.ts';
import { createTurnTools } from './services/turns/turn-tools.ts';
import { createTurnService } from './services/turns/turns.ts';
import { createUsageService } from './services/usage.ts';
import { createDeliveryService } from './services/webhooks/deliveries.ts';
import type { SecretStore } from './services/webhooks/secrets.ts';
import { createWebhookService } from './services/webhooks/webhooks.ts';
import { createWorkspaceService } from './services/workspaces.ts';
import type { Metrics } from './telemetry/metrics.ts';

const ROUTER_TOKEN_BUDGET = 2_000;

/** What the services stand on. */
export interface Ground {
  config: Config;
  log: Logger;
  db: Database;
  /** The same for what is about all workspaces, or is asked for by none. */
  system: Database;
  /** Where searches read. */
  searchDb: SearchDatabase;
  /** What was uploaded, encrypted or not. */
  originals: Originals;
  /** How secrets of webhooks are kept. */
  webhookSecrets: SecretStore;
  embeddingModel: EmbeddingModel;
  queryEmbedder: QueryEmbedder;
  rerankModel: RerankModel | null;
  /** Null: there is none. */
  reranker: Reranker | null;
  queryUsage: QueryUsage;
  models: { answer: LanguageModel; router: LanguageModel; summary: LanguageModel };
  /** How the providers count tokens: turns and research learn it together. */
  calibrator: Calibrator;
  knowledge: Knowledge;
  converter: Converter;
  authentication: Authentication;
  audit: AuditLog;
  telemetry: OutlineTelemetry;
  health: ProviderHealth;
  metrics: Metrics;
  /** How files change: told of what this process does, and looks for what others do. */
  fileChanges: FileChanges;
  /** Aborted when the process is about to stop: it is not ready, and serves on. */
  draining: AbortSignal;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
  /** Told that jobs were committed, and in how many milliseconds they are due. */
  onJob(inMs?: number): void;
  /** Told that something is due to be sent to a webhook. */
  onDelivery(): void;
  /** Told that jobs were removed, those that run included. */
  onJobsRemoved(): void;
}

function createFiles(ground: Ground, quotas: QuotaService, contexts: ContextService): FileService {
  const { config } = ground;
  return createFileService({
    ...ground,
    quotas,
    contexts,
    contextTerms: contextTerms(ground),
    defaultChunking: {
      strategy: 'hierarchical',
      leaf_min_tokens: config.LEAF_CHUNK_MIN_TOKENS,
      leaf_max_tokens: config.LEAF_CHUNK_MAX_TOKENS,
      parent_max_tokens: config.PARENT_CHUNK_MAX_TOKENS,
    },
    maxFilesPerProject: config.MAX_FILES_PER_PROJECT,
    editPace: { debounceMs: config.EDIT_DEBOUNCE_MS, intervalMs: config.EDIT_INTERVAL_MS },
  });
}

const turnOptions = (config: Config): TurnOptions => ({
  budgets: {
    turn: config.TURN_TOKEN_BUDGET,
    filler: config.FILLER_TOKEN_BUDGET,
    router: ROUTER_TOKEN_BUDGET,
  },
  window: config.ALWAYS_ON_TURN_WINDOW,
  maxDocumentResults: config.MAX_DOCUMENT_RESULTS,
  maxConversationResults: config.MAX_CONVERSATION_RESULTS,
  maxToolRounds: config.MAX_TOOL_ROUNDS,
  maxOutputTokens: config.MAX_OUTPUT_TOKENS,
  leaseSeconds: config.TURN_LEASE_SECONDS,
  mostAtOnce: config.concurrency.turns,
  routeTimeoutMs: config.ROUTER_TIMEOUT_SECONDS * 1000,
  research: {
    maxSteps: config.RESEARCH_MAX_STEPS,
    tokenBudget: config.RESEARCH_TOKEN_BUDGET,
    timeoutMs: config.MODEL_TIMEOUT_SECONDS * 1000 * config.RESEARCH_MAX_STEPS,
  },
  turnTimeoutMs: config.MODEL_TIMEOUT_SECONDS * 1000 * config.MAX_TOOL_ROUNDS,
});

/** Walking documents: for clients, and for the tools that turns have. */
export const createOutlines = (ground: Ground): OutlineService =>
  createOutlineService({ ...ground, stored: createStoredOutlines(ground) });

/** The read-only tools over documents. */
const createDocumentTools = (
  { config, db, searchDb, log, queryEmbedder, reranker, models }: Ground,
  outlines: OutlineService,
): readonly Tool[] =>
  createTools({
    db,
    searchDb,
    embedder: queryEmbedder,
    reranker,
    outlines,
    summaryModel: models.summary,
    log,
    outlineTools: config.OUTLINE_TOOLS === 'on',
  });

/** Turns, and where their events go. */
function createTurns({ config, queryEmbedder, onJob, ...ground }: Ground, tools: readonly Tool[]) {
  const events = createTurnEventLog({ ...ground, db: ground.system });
  const turns = createTurnService({
    ...ground,
    embedder: queryEmbedder,
    tools: createTurnTools(tools),
    options: turnOptions(config),
    onEvent: measured(events.sink, (event) => measureTurn(ground.metrics, event)),
    onExtract: () => ground.metrics.providers.fellBack('summary'),
    nudgeJobs: onJob,
  });
  return { turns, events };
}

/** The research agent, and where the events of its runs go. */
function createResearch({ config, ...ground }: Ground, tools: readonly Tool[]) {
  const events = createResearchEventLog({ ...ground, db: ground.system });
  const research = createResearchService({
    ...ground,
    tools,
    options: {
      maxSteps: config.RESEARCH_MAX_STEPS,
      tokenBudget: config.RESEARCH_TOKEN_BUDGET,
      maxOutputTokens: config.MAX_OUTPUT_TOKENS,
      leaseSeconds: config.TURN_LEASE_SECONDS,
      mostAtOnce: config.concurrency.research,
      timeoutMs: config.MODEL_TIMEOUT_SECONDS * 1000 * config.RESEARCH_MAX_STEPS,
    },
    onEvent: measured(events.sink, (event) => measureRun(ground.metrics, event)),
  });
  return { research, events };
}

/** What runs by itself and is followed, turns and research, over the same tools. */
export function createRuns(ground: Ground, outlines: OutlineService) {
  const tools = createDocumentTools(ground, outlines);
  const conversation = createTurns(ground, tools);
  const agent = createResearch(ground, tools);
  const flush = async (): Promise<void> => {
    await Promise.all([conversation.events.flush(), agent.events.flush()]);
  };
  return {
    tools,
    conversation,
    agent,
    /** Stores the events that are still in memory. */
    flush,
    /** Begins nothing any more, and lets what runs end, or breaks it off after so long. */
    async stop(graceMs: number): Promise<void> {
      await Promise.all([conversation.turns.stop(graceMs), agent.research.stop(graceMs)]);
      await flush();
    },
  };
}

/** Everything that the routes can call. */
export function createServices(
  ground: Ground,
  outlines: OutlineService,
  { tools, conversation, agent, flush }: ReturnType<typeof createRuns>,
): Services {
  const { config, db, system, log, embeddingModel, rerankModel, models, knowledge, onJob } = ground;
  const { turns } = conversation;
  const { perMinute, rateLimits, quotas, spending } = createLimits({ ...ground, db: system });
  const contexts = createContexts(ground);
  return {
    authentication: ground.authentication,
    quotas,
    spending,
    keys: createKeyService({ ...ground, db: system, perMinute, quotas }),
    rateLimits,
    workspaces: createWorkspaceService({ ...ground, db: system, quotas, spending }),
    audit: ground.audit,
    projects: createProjectService({ db, quotas, contextTerms: contextTerms(ground) }),
    artifacts: createArtifactService({ db }),
    eventFeed: createEventFeed(ground),
    webhooks: createWebhookService({
      db,
      secrets: ground.webhookSecrets,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    }),
    deliveries: createDeliveryService(ground),
    files: createFiles(ground, quotas, contexts),
    contexts,
    outlines,
    search: createSearchService({
      ...ground,
      onSearched: (seconds) => ground.metrics.runs.searched('search', seconds),
    }),
    tools: createToolService({ ...ground, tools, spending }),
    resourceStamps: createResourceStamps({ db }),
    research: agent.research,
    researchEvents: createResearchEventService({ db, events: agent.events, getRun: agent.research.get, log }),
    turns,
    turnEvents: createTurnEventService({ db, events: conversation.events, getTurn: turns.getTurn, log }),
    turnImport: createTurnImport({ db, onJob }),
    archives: createArchiveService({
      ...ground,
      quotas,
      flushEvents: conversation.events.flush,
      maxImportBytes: config.MAX_IMPORT_BYTES,
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      maxFilesPerProject: config.MAX_FILES_PER_PROJECT,
    }),
    backups: createBackupService({ db: system, flushEvents: flush, stopping: ground.stopping }),
    idempotency: createIdempotencyService({ db, log }),
    usage: createUsageService(ground),
    staleness: createStalenessService({ db }),
    citations: createCitationService({ db }),
    knowledge,
    metrics: createMetricsService({ ...ground, db: system }),
    system: createSystemService({
      ...ground,
      db: system,
      embedding: {
        provider: embeddingModel.provider,
        model: embeddingModel.id,
        dimensions: embeddingModel.dimensions,
      },
      rerank: rerankModel && { provider: rerankModel.provider, model: rerankModel.id },
      models: {
        provider: models.answer.provider,
        answer: models.answer.id,
        router: models.router.id,
        summary: models.summary.id,
      },
    }),
  };
}
