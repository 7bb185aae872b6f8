import { type RetryPolicy, type RetryVerdict, withRetries } from '../retry.ts';
import { type GenerateRequest, type Generation, type LanguageModel, ModelError } from './model.ts';
import { type SilenceWatch, watchSilence } from './silence.ts';

/** Puts a reply together from its events, and hands its text and its thoughts on as they come. */
export interface ReplyReader<Event> {
  read(event: Event): void;
  /** The whole reply, or null when the stream ended before the reply did. */
  finish(): Generation | null;
  /** What is known so far of the tokens used; null when nothing. */
  spent(): Pick<Generation, 'usage' | 'model'> | null;
}

/** Who hears of a reply while it comes. */
export interface ReplyListener {
  text(delta: string): void;
  reasoning(delta: string): void;
}

/** Between texts that thoughts or tool calls stand between, and between thoughts. */
export const BREAK = '\n\n';

/** A model behind a network that streams its replies. */
export interface StreamedModel<Event> extends Pick<LanguageModel, 'provider' | 'id'> {
  /** Longest silence: time without a single byte of the reply. */
  timeoutMs: number;
  retry: RetryPolicy | undefined;
  /** The events of one request; a response is passed through `hear`, so that its bytes are listened to. */
  events(request: GenerateRequest, watch: SilenceWatch): AsyncIterable<Event>;
  reader(request: GenerateRequest, listener: ReplyListener): ReplyReader<Event>;
  /** What `events` has thrown in the terms of the port. */
  toError(error: unknown): ModelError;
}

const RETRY: RetryPolicy = { attempts: 4, minDelayMs: 1_000, maxDelayMs: 30_000 };

/**
 * The model with its patience: rate limits, overload, other server errors and broken connections are tried again, as long as
 * no text has been handed on: text that was shown is never replayed, so a stream that breaks later is a `ModelError`
 * `unavailable`. A silence (`timeout`) is tried again once.
 */
export function createStreamedModel<Event>(streamed: StreamedModel<Event>): LanguageModel {
  const { provider, id, timeoutMs, retry = RETRY } = streamed;

  const attempt = async (request: GenerateRequest, listener: ReplyListener): Promise<Generation> => {
    const watch = watchSilence(timeoutMs, request.signal);
    const reader = streamed.reader(request, listener);
    try {
      for await (const event of openEvents(streamed, request, watch)) reader.read(event);
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
    provider,
    id,
    generate: async (request) => {
      const { signal } = request;
      const delivery = createDelivery(request);
      try {
        return await withRetries(() => attempt(request, delivery.listener()), {
          policy: retry,
          signal,
          onPause: (error, delayMs) => {
            const rateLimited = error instanceof ModelError && error.status === 429;
            request.onWait?.({ seconds: delayMs / 1_000, rateLimited });
          },
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
async function* openEvents<Event>(
  streamed: StreamedModel<Event>,
  request: GenerateRequest,
  watch: SilenceWatch,
): AsyncGenerator<Event> {
  const { signal } = request;
  try {
    yield* streamed.events(request, watch);
  } catch (error) {
    throw stopped(error, signal, watch) ?? streamed.toError(error);
  }
  // an aborted stream ends without a word
  const silenced = stopped(undefined, signal, watch);
  if (silenced) throw silenced;
}

/** The response, whose bytes are told of as they come: SDKs keep pings to themselves. */
export function hear(response: Response, heard: () => void): Response {
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
