import type {
  GenerateRequest,
  Generation,
  LanguageModel,
  ReplyPart,
  TokenUsage,
} from '../../src/llm/model.ts';

/** What the model says to one request; what it does not say has a plain default. */
export interface FakeReply {
  text?: string;
  /** What the reply has in front of its text. */
  parts?: ReplyPart[];
  toolCalls?: { id?: string; name: string; input: unknown }[];
  stopReason?: Generation['stopReason'];
  usage?: Partial<TokenUsage>;
}

type Script = (request: GenerateRequest, call: number) => FakeReply | Promise<FakeReply>;

export interface FakeLanguageModel extends LanguageModel {
  requests: GenerateRequest[];
}

/**
 * A language model that follows a script. Text is streamed in two pieces; a call whose signal is aborted rejects with
 * the signal's reason.
 *
 * @param script gives the reply to a request and its number (from 0), or throws what the call fails with
 */
export function fakeLanguageModel(script: Script, id = 'fake-model'): FakeLanguageModel {
  const requests: GenerateRequest[] = [];
  return {
    provider: 'anthropic',
    id,
    requests,
    async generate(request) {
      request.signal?.throwIfAborted();
      requests.push(request);
      const reply = await orAborted(Promise.resolve(script(request, requests.length - 1)), request.signal);
      const text = reply.text ?? '';
      const half = Math.ceil(text.length / 2);
      for (const piece of [text.slice(0, half), text.slice(half)]) if (piece !== '') request.onText?.(piece);
      const toolCalls = (reply.toolCalls ?? []).map((call, index) => ({
        type: 'tool_call' as const,
        id: call.id ?? `call_${requests.length}_${index}`,
        name: call.name,
        input: call.input,
      }));
      return {
        text,
        toolCalls,
        parts: [
          ...(reply.parts ?? []),
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...toolCalls,
        ],
        stopReason: reply.stopReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'),
        usage: { inputTokens: 100, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 10, ...reply.usage },
        model: id,
      };
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** A router's reply in JSON. */
export function routeReply(reply: Record<string, unknown> = {}): string {
  return JSON.stringify({
    next_probe: 'root-cause-depth',
    triggered_patterns: [],
    active_mode: 'discovery',
    action: 'probe',
    requires_retrieval: true,
    relevant_files: [],
    reason: 'the problem reads like a symptom',
    ...reply,
  });
}
