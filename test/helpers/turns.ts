import type { ProjectState } from '../../src/contract/state.ts';
import type { TurnEvent } from '../../src/contract/turn-event.ts';
import { createCalibrator } from '../../src/copilot/token-calibration.ts';
import type { Database } from '../../src/db/database.ts';
import { searchDatabaseOf } from '../../src/db/search-database.ts';
import type { EmbeddingModel } from '../../src/embeddings/model.ts';
import type { GenerateRequest, LanguageModel } from '../../src/llm/model.ts';
import { createQueryEmbedder } from '../../src/retrieval/query-vector.ts';
import { createOutlineService } from '../../src/services/outlines/service.ts';
import { createStoredOutlines } from '../../src/services/outlines/stored-outlines.ts';
import { createOutlineTelemetry } from '../../src/services/outlines/telemetry.ts';
import { createQueryUsage } from '../../src/services/query-usage.ts';
import { createTools } from '../../src/services/tools/tools.ts';
import type { TurnOptions } from '../../src/services/turns/deps.ts';
import { createTurnTools } from '../../src/services/turns/turn-tools.ts';
import { createTurnService } from '../../src/services/turns/turns.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { addMarkdownFile } from './add-markdown-file.ts';
import { knowledge } from './copilot.ts';
import { storeProject } from './rows/project.ts';

export const SAY = { priming: false, retrieval: 'auto' } as const;

/** A Markdown file of two sections. */
export const REPORT = `# Findings

Revenue from enterprise customers fell by 12 % in the third quarter.

# Budget

Marta Ruiz owns the budget up to 250 k EUR. Ticket FORGE-417 tracks its approval.
`;

/** A call of a state tool. */
export const REGISTER = {
  name: 'register_assumption',
  input: { statement: 'Sales will use it', confidence: 'guessed', impact: 'high' },
};

/** What a request's user side says, as one text. */
export const userSideOf = (request: Pick<GenerateRequest, 'messages'> | undefined) =>
  (request?.messages ?? [])
    .flatMap(({ role, content }) => (role === 'user' ? content : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');

const OPTIONS: TurnOptions = {
  budgets: { turn: 12_000, filler: 5_000, router: 2_000 },
  window: 3,
  maxDocumentResults: 4,
  maxConversationResults: 3,
  maxToolRounds: 4,
  maxOutputTokens: 1_000,
  leaseSeconds: 60,
  mostAtOnce: 0,
  research: { maxSteps: 7, tokenBudget: 40_000, timeoutMs: 60_000 },
  routeTimeoutMs: 10_000,
  turnTimeoutMs: 60_000,
};

let projects = 0;

/** A project of its own in the given database, and a turn service with scripted models. */
export async function turnBench(
  db: Database,
  parts: {
    answer?: LanguageModel;
    router?: LanguageModel;
    summary?: LanguageModel;
    options?: Partial<TurnOptions>;
    state?: ProjectState;
    embed?: (call: number) => void;
    embeddingModel?: EmbeddingModel;
  } = {},
) {
  const scope = await storeProject(db, `bench-${++projects}`, {
    name: 'Campaign ROI',
    ...(parts.state && { state: parts.state }),
  });
  const embeddingModel = parts.embeddingModel ?? fakeEmbeddingModel(parts.embed ? { fail: parts.embed } : {});
  const answer = parts.answer ?? fakeLanguageModel(() => ({ text: 'Who signs the budget?' }));
  const router = parts.router ?? fakeLanguageModel(() => ({ text: routeReply() }));
  const events: TurnEvent[] = [];
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note };
  const embedder = createQueryEmbedder(embeddingModel);
  const queryUsage = createQueryUsage({ db, log });
  const telemetry = createOutlineTelemetry();
  const stored = createStoredOutlines({ db, telemetry, onJob: () => undefined });
  const outlines = createOutlineService({ db, stored, telemetry, queryEmbedder: embedder, queryUsage });
  const service = createTurnService({
    db,
    searchDb: searchDatabaseOf(db),
    knowledge,
    models: {
      answer,
      router,
      summary: parts.summary ?? fakeLanguageModel((_, call) => ({ text: `Summary of call ${call}.` })),
    },
    embeddingModel,
    embedder,
    reranker: null,
    queryUsage,
    tools: createTurnTools(
      createTools({
        db,
        searchDb: searchDatabaseOf(db),
        embedder,
        reranker: null,
        outlines,
        summaryModel: answer,
        log,
      }),
    ),
    options: { ...OPTIONS, ...parts.options },
    onEvent: (_, __, event) => events.push(event),
    calibrator: createCalibrator(),
    log,
  });

  return {
    scope,
    service,
    events,
    logged,
    embeddingModel,
    /** Sends a message and waits for the turn's end. */
    async say(message: string) {
      return (await service.startTurn(scope, { ...SAY, message })).done;
    },
    /** Runs the summary jobs that wait for this project. */
    async runJobs() {
      const { rows } = await db.query<{ subject: string }>(
        `delete from jobs where workspace_id = $1 and project_id = $2 and kind = 'summarise_turn' returning subject`,
        [scope.workspaceId, scope.projectId],
      );
      for (const { subject } of rows) {
        await service.summariseHandler.run({ ...scope, subject } as never, new AbortController().signal);
      }
      return rows.length;
    },
    /** Stores a Markdown file and makes it searchable. */
    addFile: (name: string, markdown: string) =>
      addMarkdownFile({ db, embeddingModel }, scope, name, markdown),
  };
}
