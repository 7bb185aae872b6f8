import type { ShownPattern, ShownProbe } from '../contract/knowledge.ts';
import type { Mode } from '../contract/state.ts';

/** Words and phrases in a user's message that speak for an entry (for the offline router). */
interface Signalled {
  signals: string[];
}

/** A line of questioning; its body is what the large model reads. */
export type Probe = Omit<ShownProbe, 'object'> & Signalled;

/** A recurring organisational problem. */
export type Pattern = Omit<ShownPattern, 'object'> & Signalled;

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
