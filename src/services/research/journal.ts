import { performance } from 'node:perf_hooks';
import type { ResearchStep, RunOutcome } from '../../contract/research.ts';
import { type Phase, type UsageByPhase, withCall } from '../../copilot/usage.ts';
import type { TokenUsage } from '../../llm/model.ts';

/** What is known of a run while it goes on: whatever ends it, this much goes into its row. */
export interface RunJournal {
  readonly steps: ResearchStep[];
  readonly usage: UsageByPhase;
  limitsApplied: RunOutcome['limits_applied'];
  /** Tokens of the largest prompt, as the provider counted them. */
  largestPrompt: number;
  model: string | null;
  /** The answer as far as it has come. */
  partial: string;
  firstTokenMs: number | null;
  elapsed(): number;
  spend(phase: Phase, usage: TokenUsage, model: string): void;
}

export function createRunJournal(): RunJournal {
  const startedAt = performance.now();
  const journal: RunJournal = {
    steps: [],
    usage: {},
    limitsApplied: [],
    largestPrompt: 0,
    model: null,
    partial: '',
    firstTokenMs: null,
    elapsed: () => Math.round((performance.now() - startedAt) * 10) / 10,
    spend(phase, usage, model) {
      journal.usage[phase] = withCall(journal.usage[phase], model, usage);
      if (phase !== 'research') return;
      journal.largestPrompt = Math.max(journal.largestPrompt, usage.inputTokens);
      journal.model = model;
    },
  };
  return journal;
}
