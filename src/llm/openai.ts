import { createOpenAiClient, type OpenAiConnection, ServerFailure } from '../openai/client.ts';
import { openAiFault } from '../openai/fault.ts';
import { type ProviderSetup, settingsAdvice } from '../provider-advice.ts';
import type { RetryPolicy } from '../retry.ts';
import { type GenerateRequest, type LanguageModel, ModelError } from './model.ts';
import { adapted, type Dialect } from './openai-dialect.ts';
import { type ChatChunk, createChatReader } from './openai-reply.ts';
import { toChatRequest } from './openai-request.ts';
import type { SilenceWatch } from './silence.ts';
import { createStreamedModel, hear } from './streamed-model.ts';

export interface OpenAiModelOptions extends OpenAiConnection {
  model: string;
  /** Names of the settings, to be told to whoever has to change them. */
  settings: { key: string; address: string; model: string };
  /** Longest silence: time without a single byte of the reply. */
  timeoutMs?: number;
  retry?: RetryPolicy;
}

/**
 * A language model of any server that speaks OpenAI's `POST /chat/completions`: OpenAI, Ollama, vLLM, LM Studio, llama.cpp.
 * Always streamed, with the patience of `createStreamedModel`. What a server refuses to understand is not asked of it again.
 */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { model, settings, timeoutMs = 60_000 } = options;
  const name = options.baseUrl === undefined ? 'OpenAI' : 'The language model server';
  const setup = { name, model, settings };
  // only a backstop: the silence is watched, and told apart from a broken connection
  const client = createOpenAiClient({ ...options, timeoutMs: 2 * timeoutMs });
  let dialect: Dialect = {
    output: 'json_schema',
    limit: options.baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens',
    usage: true,
  };

  async function post(request: GenerateRequest, watch: SilenceWatch): Promise<Response> {
    for (;;) {
      const sent = dialect;
      try {
        const body = toChatRequest(model, request, sent);
        return await client.post('/chat/completions', body, watch.signal);
      } catch (error) {
        const hasSchema = request.outputSchema !== undefined;
        const next = error instanceof ServerFailure ? adapted(sent, error, hasSchema) : null;
        if (!next) throw error;
        // another request may have learned the same, or more, meanwhile
        if (dialect === sent) dialect = next;
      }
    }
  }

  return createStreamedModel<ChatChunk>({
    provider: 'openai',
    id: model,
    timeoutMs,
    retry: options.retry,
    async *events(request, watch) {
      yield* client.events<ChatChunk>(hear(await post(request, watch), watch.heard));
    },
    reader: (request, listener) => createChatReader(model, request, listener),
    toError: (error) => toModelError(error, setup),
  });
}

/** A failure of a server in the terms of the port. Its message is the server's own, for the log alone. */
function toModelError(error: unknown, setup: ProviderSetup): ModelError {
  if (!(error instanceof ServerFailure) || error.isConnection) {
    return new ModelError('The connection to the model failed', { reason: 'unavailable', cause: error });
  }
  const { status, detail, retryAfterSeconds } = error;
  const advice = error.isMissing ? detail : adviceOn(error, setup);
  const isServers = status === undefined || status === 408 || status === 429 || status >= 500;
  return new ModelError(`${setup.name} answered ${status ?? 'with an error'}: ${detail.slice(0, 300)}`, {
    reason: isServers && advice === undefined ? 'unavailable' : 'rejected',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(advice !== undefined && { advice }),
    cause: error,
  });
}

// OpenAI's and vLLM's "maximum context length", llama.cpp's "exceeds the available context size"
const TOO_LONG =
  /context_length_exceeded|exceed_context_size|maximum context length|context size|context window/i;

function adviceOn(error: ServerFailure, setup: ProviderSetup): string | undefined {
  if (TOO_LONG.test(`${error.code} ${error.detail}`)) {
    return `${setup.name} reads less with the model "${setup.model}" than the prompt and the room for the reply come to. TURN_TOKEN_BUDGET or MAX_OUTPUT_TOKENS has to be set lower, or the server to a longer context, and the service started again.`;
  }
  const fault = openAiFault(error);
  return fault && settingsAdvice(fault, setup);
}
