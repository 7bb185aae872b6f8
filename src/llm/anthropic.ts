import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { ProviderSetup } from '../provider-advice.ts';
import { type RetryPolicy, type RetryVerdict, withRetries } from '../retry.ts';
import { toModelError } from './anthropic-failure.ts';
import { BREAK, createReplyReader, type ReplyEvent, type ReplyListener } from './anthropic-reply.ts';
import { type AnthropicRequest, toAnthropicRequest } from './anthropic-request.ts';
import { type GenerateRequest, type Generation, type LanguageModel, ModelError } from './model.ts';
import type { Effort } from './models.ts';
import { type SilenceWatch, watchSilence } from './silence.ts';

export interface AnthropicOptions {
  apiKey: string;
  baseUrl?: string;
  model: string;
  /** The name of the setting that `model` comes from, to be told to whoever has to change it. */
  modelSetting?: string;
  /** How much thought a reply is worth; sent to models that are known to have the level. */
  effort?: Effort;
  /** Longest silence: time without a single byte of the reply. */
  timeoutMs?: number;
  retry?: RetryPolicy;
  /** In place of the network's own. */
  fetch?: typeof fetch;
}

const BASE_URL = 'https://api.anthropic.com';
const RETRY: RetryPolicy = { attempts: 4, minDelayMs: 1_000, maxDelayMs: 30_000 };

/**
 * A Claude model over HTTP, always streamed. Rate limits (429), overload (529), other server errors and broken
 * connections are tried again, as long as no text has been handed on: text that was shown is never replayed, so a
 * stream that breaks later is a `ModelError` `unavailable`. A silence (`timeout`) is tried again once.
 */
export function createAnthropicModel(options: AnthropicOptions): LanguageModel {
  const { model, modelSetting = 'MODEL_NAME', effort, timeoutMs = 60_000, retry = RETRY } = options;
  const setup = { name: 'Anthropic', model, settings: { key: 'ANTHROPIC_API_KEY', model: modelSetting } };
  const client = new Anthropic({
    apiKey: options.apiKey,
    // given always, or the SDK looks into the environment by itself
    baseURL: options.baseUrl ?? BASE_URL,
    maxRetries: 0,
    // only a backstop: the silence is watched here, where it is told apart from a broken connection
    timeout: 2 * timeoutMs,
    logLevel: 'off',
    openTelemetry: false,
    ...(options.fetch && { fetch: options.fetch }),
  });

  const attempt = async (request: GenerateRequest, listener: ReplyListener): Promise<Generation> => {
    const watch = watchSilence(timeoutMs, request.signal);
    const reader = createReplyReader(model, listener);
    try {
      const body = toAnthropicRequest(model, request, effort);
      for await (const event of openStream(client, body, setup, request.signal, watch)) reader.read(event);
      const generation = reader.finish();
      if (!generation) throw new ModelError('The reply broke off in the middle', { reason: 'unavailable' });
      return generation;
    } catch (error) {
      const spent = reader.spent();
      if (spent) request.onLost?.(spent.usage, spent.model);
      throw error;
    } finally {
      watch.stop();
    }
  };

  return {
    provider: 'anthropic',
    id: model,
    generate: async (request) => {
      const { signal } = request;
      const delivery = createDelivery(request);
      try {
        return await withRetries(() => attempt(request, delivery.listener()), {
          policy: retry,
          signal,
          judge: (error, attemptNumber) =>
            delivery.hasText() ? { retry: false } : judge(error, attemptNumber),
        });
      } catch (error) {
        if (signal?.aborted) throw aborted(error);
        throw error;
      }
    },
  };
}

/** Hands on what is heard of a reply, over all tries of its request. Thoughts may come again in other words, text may not. */
function createDelivery({ onText, onReasoning }: GenerateRequest) {
  let hasText = false;
  let hasThoughts = false;
  return {
    hasText: () => hasText,
    listener: (): ReplyListener => {
      let isApart = hasThoughts;
      return {
        text: (delta) => {
          if (!onText) return;
          hasText = true;
          onText(delta);
        },
        reasoning: (delta) => {
          if (!onReasoning) return;
          onReasoning(isApart ? `${BREAK}${delta}` : delta);
          isApart = false;
          hasThoughts = true;
        },
      };
    },
  };
}

/** The events of one request. Whatever goes wrong with it is thrown as `ModelError`. */
async function* openStream(
  client: Anthropic,
  body: AnthropicRequest,
  setup: ProviderSetup,
  signal: AbortSignal | undefined,
  watch: SilenceWatch,
): AsyncGenerator<ReplyEvent> {
  try {
    // not by `messages.create`, which prints what it thinks of the model at each call
    const response = await client
      .post<Response>('/v1/messages', { body, stream: true, signal: watch.signal })
      .asResponse();
    // the SDK keeps the pings to itself, so the bytes are listened to
    yield* Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
      hear(response, watch.heard),
      new AbortController(),
      client,
    ) as AsyncIterable<ReplyEvent>;
  } catch (error) {
    throw stopped(error, signal, watch) ?? toModelError(error, setup);
  }
  // an aborted stream ends without a word
  const silenced = stopped(undefined, signal, watch);
  if (silenced) throw silenced;
}

function hear(response: Response, heard: () => void): Response {
  heard();
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        heard();
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body ?? null, response);
}

function judge(error: Error, attempt: number): RetryVerdict {
  if (!(error instanceof ModelError)) return { retry: false };
  const retry = error.reason === 'unavailable' || (error.reason === 'timeout' && attempt === 1);
  return { retry, afterSeconds: error.retryAfterSeconds };
}

/** What the call was stopped by from here, if it was. */
function stopped(
  cause: unknown,
  signal: AbortSignal | undefined,
  watch: SilenceWatch,
): ModelError | undefined {
  if (signal?.aborted) return aborted(cause);
  return watch.timedOut
    ? new ModelError('The model was silent for too long', { reason: 'timeout', cause })
    : undefined;
}

function aborted(cause: unknown): ModelError {
  return new ModelError('The call was aborted', { reason: 'aborted', cause });
}
