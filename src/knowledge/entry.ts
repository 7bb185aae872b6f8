import type { Mode, SkeletonField } from '../state/schema.ts';

/** A line of questioning. */
export interface Probe {
  key: string;
  number: number;
  mode: Mode;
  title: string;
  /** When it fires, in one sentence (for the router). */
  firesWhen: string;
  /** Words and phrases in a user's message that speak for it (for the offline router). */
  signals: string[];
  questions: string[];
  completeWhen: string[];
  fields: SkeletonField[];
  /** The whole entry as Markdown: what the large model reads. */
  body: string;
  tokens: number;
}

/** A recurring organisational problem. */
export interface Pattern {
  key: string;
  number: number;
  mode: Mode;
  title: string;
  firesWhen: string;
  signals: string[];
  questions: string[];
  body: string;
  tokens: number;
}

export interface CoreInstructions {
  mode: Mode;
  title: string;
  body: string;
  tokens: number;
}

/** Everything in the knowledge folder, validated and frozen. */
export interface Knowledge {
  core: Record<Mode, CoreInstructions>;
  probes: Record<Mode, readonly Probe[]>;
  patterns: Record<Mode, readonly Pattern[]>;
  /** Cagan's four risks: always present in the evaluation mode. */
  risks: { title: string; body: string; tokens: number };
}
