import type { z } from 'zod';
import type { MayCall } from '../../copilot/limits.ts';
import type { OnUsage } from '../../llm/model.ts';
import type { Passage } from '../../retrieval/passage.ts';
import type { OnQuerySpent } from '../../retrieval/query-spending.ts';
import type { Scope, Source } from '../../scope.ts';

/** The outlines that a caller was shown already, by file: the tag of each, and how deep it went. */
export type KnownOutlines = Map<string, { tag: string; levels: number }>;

/** What a call is made with besides its input. */
export interface ToolContext {
  scope: Scope;
  /** Where documents are looked for. */
  sources: readonly Source[];
  signal: AbortSignal;
  /** About so many tokens of text at most. */
  maxTokens: number;
  /** Told of each call of the embedding provider. */
  onSpent: OnQuerySpent;
  /** What the caller has of outlines: one that has not changed is not given again. Absent: nothing is remembered. */
  outlines?: KnownOutlines;
  /** Told of each call to a model that the tool makes. Absent: the tool adds them to the project's usage itself. */
  onUsage?: OnUsage;
  /** Whether calls to the small model may be made. Absent: they may. */
  mayCall?: MayCall;
  /** Told how far a long call has come, in parts of the document. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** A stretch of a section, `passage.text.slice(start, end)`: what can be quoted and cited. */
export interface FoundPassage {
  passage: Passage;
  start: number;
  end: number;
}

/** What a call gives: lines that say what there is, and text of documents. */
export interface ToolOutput {
  /** Each one line, the most important first: a caller with less room leaves out the last. */
  lines: string[];
  /** Best first, or in document order where they were asked for as a whole. */
  passages: FoundPassage[];
  /** What the lines say, as values; absent where there is nothing but text. */
  structured?: Record<string, unknown>;
}

/** How every tool is announced: it changes nothing, and looks at nothing but what is stored. */
export const TOOL_ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** What a tool looks at: a setting or a caller can do without the tools of a kind. */
export type ToolKind = 'project' | 'outline' | 'library';

/**
 * A read-only tool over documents. It knows nothing of who calls it: a turn, an agent, a client by hand and a protocol put
 * the same definition in front of their callers, and write the output in their own form.
 */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  name: string;
  kind: ToolKind;
  /** Whether a call may call a model, of embeddings included: what is paid for. */
  spends: boolean;
  /** For the model that is to call it: when to, and when not. */
  description: string;
  input: Input;
  /** What `structured` of its output is; absent where there is nothing but text. */
  values?: z.ZodObject;
  /** @throws AppError in words that the model can act on */
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}
