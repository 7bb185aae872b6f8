import type { z } from 'zod';
import type { Passage } from '../../retrieval/passage.ts';
import type { OnQuerySpent } from '../../retrieval/query-vector.ts';
import type { Scope, Source } from '../../scope.ts';

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
}

/**
 * A read-only tool over a project's documents. It knows nothing of who calls it: a turn, an agent and a protocol put the
 * same definition in front of their model, and write the output in their own form.
 */
export interface DocumentTool<Input extends z.ZodType = z.ZodType> {
  name: string;
  /** For the model that is to call it. */
  description: string;
  input: Input;
  /** @throws AppError in words that the model can act on */
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutput>;
}
