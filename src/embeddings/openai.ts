import { createOpenAiClient, type OpenAiConnection, type ServerFailure } from '../openai/client.ts';
import { readServerFailure } from '../openai/failure.ts';
import { openAiFault } from '../openai/fault.ts';
import { readReply, usedTokens } from '../openai/reply.ts';
import { type ProviderSetup, settingsAdvice } from '../provider-advice.ts';
import { UNMEASURED } from './calibration.ts';
import { EmbeddingError, type EmbeddingLimits, type EmbeddingModel } from './model.ts';
import { OPENAI_MODELS } from './openai-models.ts';
import { readVectors } from './read-vectors.ts';
import { createRemoteModel, type RemoteTerms } from './remote.ts';

export interface OpenAiEmbeddingOptions extends OpenAiConnection, RemoteTerms {
  model: string;
  dimensions: number;
  /** Whether to ask for vectors of that size; undefined: of models that are known to be shortenable. */
  sendDimensions?: boolean | undefined;
  /** What stands in front of a text, as models like nomic-embed-text want it. */
  prefixes: { query: string; document: string };
  limits?: Partial<EmbeddingLimits>;
  /** Names of the settings, to be told to whoever has to change them. */
  settings: { key: string; address: string };
}

/**
 * A small server has room for some pages at a time. Most models read 8,192 tokens a text; one that reads fewer refuses a
 * longer text, or cuts it off (Ollama does), and a leaf has 500 at most.
 */
const LIMITS: EmbeddingLimits = { inputsPerCall: 16, tokensPerCall: 16_000, tokensPerInput: 8_000 };

/**
 * An embedding model of any server that speaks OpenAI's `POST /embeddings`: OpenAI, Ollama, vLLM, TEI, LM Studio. With the
 * patience of `createRemoteModel`.
 */
export function createOpenAiEmbeddings(options: OpenAiEmbeddingOptions): EmbeddingModel {
  const { model, dimensions, prefixes, settings, timeoutMs = 60_000 } = options;
  const name = options.baseUrl === undefined ? 'OpenAI' : 'The embedding server';
  const setup = { name, model, settings: { ...settings, model: 'EMBEDDING_MODEL' } };
  const client = createOpenAiClient({ ...options, timeoutMs });
  const isAsked = options.sendDimensions ?? OPENAI_MODELS.get(model)?.isShortenable ?? false;

  return createRemoteModel({
    provider: 'openai',
    // texts with another prefix have other vectors: a part of every cache key
    id: prefixes.document === '' ? model : `${model} (${prefixes.document.trim()})`,
    dimensions,
    limits: { ...LIMITS, ...options.limits },
    calibration: UNMEASURED, // it may be any model
    timeoutMs,
    retry: options.retry,
    rates: options.rates,
    shared: options.shared,
    request: async ({ texts, inputType, signal }) => {
      const body = {
        model,
        input: texts.map((text) => prefixes[inputType] + text),
        ...(isAsked && { dimensions }),
      };
      const response = await client.post('/embeddings', body, signal);
      const reply = await readReply(response);
      const adviceOnDimensions = (sent: number): string =>
        `${name} sends vectors of ${sent} numbers for the model "${model}", and the service was set up for ${dimensions}. EMBEDDING_DIMENSIONS has to be set to ${sent}${isAsked ? '' : ', or EMBEDDING_SEND_DIMENSIONS to true where the model can make shorter ones'}, and the service started again.`;
      const expected = { name, count: texts.length, dimensions, adviceOnDimensions };
      return { vectors: readVectors(reply.data, expected), tokens: usedTokens(reply) };
    },
    toError: (error, timedOut) => {
      const facts = readServerFailure(error, timedOut, {
        name,
        adviceOn: (failure) => adviceOn(failure, setup),
      });
      return new EmbeddingError(facts.message, facts);
    },
  });
}

function adviceOn(error: ServerFailure, setup: ProviderSetup): string | undefined {
  const fault = openAiFault(error);
  if (fault) return settingsAdvice(fault, setup);
  // vLLM: "does not support matryoshka representation"; OpenAI: "does not support specifying dimensions"
  return error.status === 400 && /dimensions|matryoshka/i.test(error.detail)
    ? `${setup.name} does not make vectors of another size with the model "${setup.model}". EMBEDDING_SEND_DIMENSIONS has to be set to false and EMBEDDING_DIMENSIONS to the size that it makes, and the service started again.`
    : undefined;
}
