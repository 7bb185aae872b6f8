import type { SkeletonField } from '../contract/state.ts';

/**
 * The port to a language model. A request says what is wanted as text (what a real model reads) and, in `facts`, as the
 * values that the text was rendered from (what the offline rules read): one caller serves both, and neither parses the
 * other's form.
 */

/** A stable stretch of the system prompt; `cache` marks the end of a prefix worth caching at the provider. */
export interface SystemBlock {
  text: string;
  cache?: boolean;
}

export interface TextPart {
  type: 'text';
  text: string;
  /** As with `SystemBlock`: the prefix that ends here is worth caching. */
  cache?: boolean;
}
export interface ToolCallPart {
  type: 'tool_call';
  id: string;
  name: string;
  input: unknown;
}
export interface ToolResultPart {
  type: 'tool_result';
  id: string;
  content: string;
  isError: boolean;
  cache?: boolean;
}

/** Thoughts of a model in its provider's own form, kept only to be sent back unchanged with the rest of its reply. */
export interface ReasoningPart {
  type: 'reasoning';
  opaque: unknown;
}

/** What a reply is made of. */
export type ReplyPart = ReasoningPart | TextPart | ToolCallPart;

export interface Message {
  role: 'user' | 'assistant';
  content: (ReplyPart | ToolResultPart)[];
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the input object. */
  inputSchema: Record<string, unknown>;
}

export interface TokenUsage {
  /** All tokens read, cached ones included. */
  inputTokens: number;
  /** Of the input, read from the provider's cache. */
  cachedTokens: number;
  /** Of the input, written to the provider's cache. */
  cacheWriteTokens: number;
  outputTokens: number;
  /** Of the output, spent on thoughts; absent where the provider does not say. */
  thinkingTokens?: number;
  /** The provider did not say: the tokens were counted here. */
  isEstimated?: true;
}

/** What the offline model needs to route, answer or summarise without reading prose. */
export type Facts = RouteFacts | AnswerFacts | SummaryFacts | ResearchFacts | ContextFacts;

export interface RouteFacts {
  task: 'route';
  message: string;
  activeMode: 'discovery' | 'evaluation';
  activeProbe: string | null;
  completedProbes: string[];
  /** The probes and patterns of both modes, in their order, with the phrases that signal them. */
  probes: { key: string; mode: 'discovery' | 'evaluation'; title: string; signals: string[] }[];
  patterns: { key: string; mode: 'discovery' | 'evaluation'; title: string; signals: string[] }[];
  filenames: string[];
}

export interface AnswerFacts {
  task: 'answer';
  message: string;
  priming: boolean;
  action: 'probe' | 'synthesise' | 'switch_mode' | 'answer';
  projectName: string;
  /** What was retrieved, best first, with the marker that cites each (`[1]`) and the confidence that it bears on the message. */
  passages: { marker: number; filename: string; headerPath: string[]; text: string; score: number }[];
  /** What was searched for them; null: nothing was. */
  coverage: { considered: number; likeliestFile: string | null } | null;
  /** Earlier turns: those that were recalled, and the latest ones in their order. */
  recalledTurns: PastExchange[];
  recentTurns: PastExchange[];
  probe: { title: string; questions: string[] } | null;
  patterns: { title: string; questions: string[] }[];
  /** Lines that sum up the state: what is confirmed, what is assumed, what is at risk. */
  stateLines: string[];
  /** The filled fields of the skeleton, and the turns that filled them; null: a client did. */
  skeleton: { field: SkeletonField; title: string; value: string; turnNumber: number | null }[];
  /** The statements of the register that are not invalidated. */
  assumptions: string[];
  /** The project's files, oldest first. */
  files: { filename: string; summary: string }[];
}

/** Passages that are to be placed in their document: the offline model cannot, and is not asked. */
export interface ContextFacts {
  task: 'place';
  /** Their numbers. */
  passages: number[];
}

/** A turn as it was. */
export interface PastExchange {
  turnNumber: number;
  message: string;
  response: string;
}

export type SummaryFacts = TextFacts | ConversationFacts;

/** What is summarised by itself. */
export interface TextFacts {
  task: 'summarise';
  kind: 'file' | 'turn' | 'part' | 'document';
  /** For a file its opening text, for a turn the message, else a part of a document, or all that is known of it. */
  text: string;
  response?: string;
}

/** What a call of a tool gave in research, as the values that its text was written from. */
export interface ResearchResult {
  tool: string;
  input: unknown;
  isError: boolean;
  /** What it says besides texts of documents. */
  lines: string[];
  passages: { marker: number; filename: string; headerPath: string[]; text: string; score: number }[];
  structured: Record<string, unknown> | null;
}

export interface ResearchFacts {
  task: 'research';
  question: string;
  /** The names of the tools that may be called. */
  tools: string[];
  /** The files that the user said the question means; none: it was not asked. */
  files: string[];
  stateLines: string[];
  /** So far, in their order. */
  results: ResearchResult[];
  /** No tool can be called any more. */
  isLast: boolean;
}

/** A conversation whose summary is made anew. */
export interface ConversationFacts {
  task: 'summarise';
  kind: 'conversation';
  /** The summary as it was; empty when there was none. */
  previous: string;
  /** What was said since, in order. */
  exchanges: { turnNumber: number; message: string; response: string }[];
  /** What the new one may have. */
  maxTokens: number;
}

export interface GenerateRequest {
  system: SystemBlock[];
  messages: Message[];
  facts: Facts;
  tools?: ToolDefinition[];
  /** `none`: the tools are named, because earlier messages have calls of them, but may not be called any more. */
  toolChoice?: 'none';
  /** When given, the reply is one JSON value of this schema (structured output), in `text`. */
  outputSchema?: Record<string, unknown>;
  maxOutputTokens: number;
  signal?: AbortSignal;
  /** Called with each stretch of text as it arrives. */
  onText?: (delta: string) => void;
  /** Called with each stretch of the model's thoughts, where it has any to show: asked for with this, and else not. */
  onReasoning?: (delta: string) => void;
  /** Told what a try has used that broke off, as far as the provider had said by then: it is paid for as well. */
  onLost?: OnUsage;
  /** Told of each pause: before a try that follows one that failed, and while the provider wants no call of anybody. */
  onWait?: (wait: { seconds: number; rateLimited: boolean }) => void;
}

/** Told of the usage of one call, and of the model that it was a call of, as the provider names it. */
export type OnUsage = (usage: TokenUsage, model: string) => void;

/** `pause`: the provider interrupted the model, which would go on when it is asked again. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'pause';

export interface Generation {
  text: string;
  toolCalls: ToolCallPart[];
  /** The whole reply in its order, to be sent back as it is where the conversation goes on. */
  parts: ReplyPart[];
  stopReason: StopReason;
  usage: TokenUsage;
  /** The model that answered, as the provider names it. */
  model: string;
}

export interface LanguageModel {
  readonly provider: 'anthropic' | 'openai' | 'offline';
  readonly id: string;
  /** One call to the model. Retries are the adapter's affair; failures arrive as `ModelError`. */
  generate(request: GenerateRequest): Promise<Generation>;
}

/** The provider failed for good, or the call was aborted. */
export class ModelError extends Error {
  readonly reason: 'unavailable' | 'rejected' | 'aborted' | 'timeout';
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What is to be changed in the settings, in words that anybody may read; only where they are to blame. */
  readonly advice: string | undefined;

  constructor(
    message: string,
    options: {
      reason: ModelError['reason'];
      status?: number;
      retryAfterSeconds?: number;
      advice?: string;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelError';
    this.reason = options.reason;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.advice = options.advice;
  }
}
