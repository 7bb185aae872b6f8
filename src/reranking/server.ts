import { createOpenAiClient, type OpenAiConnection, type ServerFailure } from '../openai/client.ts';
import { readServerFailure } from '../openai/failure.ts';
import { openAiFault } from '../openai/fault.ts';
import { membersOf, readJson, usedTokens } from '../openai/reply.ts';
import { type ProviderSetup, settingsAdvice } from '../provider-advice.ts';
import { RerankError, type RerankLimits, type RerankModel, type RerankResult } from './model.ts';
import { readScores } from './read-scores.ts';
import { createRemoteReranker, REQUEST_TIMEOUT_MS } from './remote.ts';

/** How a server is asked, and how it answers. */
export type RerankDialect = 'cohere' | 'tei';

export interface RerankServerOptions extends OpenAiConnection {
  dialect: RerankDialect;
  model: string;
  /** Documents in one request; undefined: as many as the dialect's servers take. */
  batchSize?: number | undefined;
}

const COHERE_URL = 'https://api.cohere.com/v2';

/**
 * Cohere recommends no more than 1,000 documents in a request. TEI takes 32 unless it was started with another
 * `--max-client-batch-size`. Their tokens are the servers' own affair: both are told to cut off what is too long, or do.
 */
const DOCUMENTS_PER_CALL: Record<RerankDialect, number> = { cohere: 1_000, tei: 32 };
const TOKENS_PER_CALL = 400_000;

/**
 * A reranker behind `POST /rerank`, in one of two dialects. `cohere`: `{model, query, documents}`, answered with `results`
 * of `index` and `relevance_score`, as Cohere (v1 and v2), vLLM, Infinity, Jina and others have it. `tei`:
 * `{query, texts, truncate}`, answered with a list of `index` and `score`, as Hugging Face's text-embeddings-inference.
 * Nothing is sent but what all servers of a dialect know: some refuse members that they do not.
 */
export function createRerankServer(options: RerankServerOptions): RerankModel {
  const { dialect, model, batchSize } = options;
  const isCohere = dialect === 'cohere' && options.baseUrl === undefined;
  const setup: ProviderSetup = {
    name: isCohere ? 'Cohere' : 'The rerank server',
    model,
    settings: { key: 'RERANK_API_KEY', model: 'RERANK_MODEL', address: 'RERANK_BASE_URL' },
  };
  const client = createOpenAiClient({
    ...options,
    baseUrl: options.baseUrl ?? COHERE_URL,
    timeoutMs: REQUEST_TIMEOUT_MS,
  });
  const limits: RerankLimits = {
    documentsPerCall: batchSize ?? DOCUMENTS_PER_CALL[dialect],
    tokensPerCall: TOKENS_PER_CALL,
  };
  return createRemoteReranker({
    provider: dialect,
    id: model,
    limits,
    request: async ({ query, documents, signal }) => {
      const body =
        dialect === 'tei' ? { query, texts: documents, truncate: true } : { model, query, documents };
      const reply = await readJson(await client.post('/rerank', body, signal));
      return dialect === 'tei'
        ? readTeiReply(reply, setup.name, documents.length)
        : readCohereReply(reply, setup.name, documents.length);
    },
    toError: (error, timedOut) => {
      const adviceFor = (failure: ServerFailure) => adviceOn(failure, setup);
      return new RerankError(readServerFailure(error, timedOut, { name: setup.name, adviceOn: adviceFor }));
    },
  });
}

const readTeiReply = (reply: unknown, name: string, count: number): RerankResult => ({
  scores: readScores(reply, { name, count, score: 'score' }),
  tokens: 0,
  calls: 1,
});

/** Cohere says what it charges for in `meta.billed_units`, the others in `usage`, as OpenAI does. */
function readCohereReply(reply: unknown, name: string, count: number): RerankResult {
  const members = membersOf(reply);
  const { search_units: units, input_tokens: billed } = membersOf(membersOf(members.meta).billed_units);
  return {
    scores: readScores(members.results, { name, count, score: 'relevance_score' }),
    tokens: typeof billed === 'number' && billed > 0 ? billed : usedTokens(members),
    calls: typeof units === 'number' && units > 1 ? Math.ceil(units) : 1,
  };
}

function adviceOn(failure: ServerFailure, setup: ProviderSetup): string | undefined {
  const { status, detail } = failure;
  // TEI: "batch size 40 > maximum allowed batch size 32"
  if (status === 422 && /\bbatch size\b/i.test(detail)) {
    return `${setup.name} does not take so many documents at a time. RERANK_BATCH_SIZE has to be set to as many as it takes, and the service started again.`;
  }
  // TEI: "model is not a re-ranker model"; vLLM and Infinity: "does not support Rerank"
  if (/not a re-?ranker|not support\b.{0,20}\b(rerank|score)/i.test(detail))
    return settingsAdvice('model', setup);
  const fault = openAiFault(failure);
  return fault && settingsAdvice(fault, setup);
}
