import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { RetryPolicy } from '../retry.ts';
import { toModelError } from './anthropic-failure.ts';
import { createReplyReader, type ReplyEvent } from './anthropic-reply.ts';
import { toAnthropicRequest } from './anthropic-request.ts';
import type { LanguageModel } from './model.ts';
import type { Effort } from './models.ts';
import { createStreamedModel, hear } from './streamed-model.ts';

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

/** A Claude model over HTTP, always streamed, with the patience of `createStreamedModel`. */
export function createAnthropicModel(options: AnthropicOptions): LanguageModel {
  const { model, modelSetting = 'MODEL_NAME', effort, timeoutMs = 60_000 } = options;
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

  return createStreamedModel<ReplyEvent>({
    provider: 'anthropic',
    id: model,
    timeoutMs,
    retry: options.retry,
    async *events(request, watch) {
      // not by `messages.create`, which prints what it thinks of the model at each call
      const response = await client
        .post<Response>('/v1/messages', {
          body: toAnthropicRequest(model, request, effort),
          stream: true,
          signal: watch.signal,
        })
        .asResponse();
      yield* Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
        hear(response, watch.heard),
        new AbortController(),
        client,
      ) as AsyncIterable<ReplyEvent>;
    },
    reader: (_, listener) => createReplyReader(model, listener),
    toError: (error) => toModelError(error, setup),
  });
}
