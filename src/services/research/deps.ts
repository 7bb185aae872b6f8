import type { ResearchEvent } from '../../contract/research-event.ts';
import type { Calibrator } from '../../copilot/token-calibration.ts';
import type { Database } from '../../db/database.ts';
import type { LanguageModel } from '../../llm/model.ts';
import type { Scope } from '../../scope.ts';
import type { FollowLog, Live } from '../followed/kind.ts';
import type { QueryUsage } from '../query-usage.ts';
import type { Tool } from '../tools/tool.ts';

export type LiveRunEvent = Live<ResearchEvent>;

export interface ResearchSettings {
  /** Calls of the large model in a run. */
  maxSteps: number;
  /** Tokens of the largest prompt of a run. */
  tokenBudget: number;
  maxOutputTokens: number;
  leaseSeconds: number;
  /** Runs of a workspace that may go on at a time, on all instances; 0: any number. */
  mostAtOnce: number;
  /** How often it is looked whether running ones were cancelled through another instance. */
  watchMs?: number;
  /** How long a whole run may take. */
  timeoutMs: number;
}

/** What runs need from outside. */
export interface ResearchDeps {
  db: Database;
  models: { answer: LanguageModel; summary: LanguageModel };
  tools: readonly Tool[];
  options: ResearchSettings;
  calibrator: Calibrator;
  /** Where the queries of its tools are booked. */
  queryUsage: QueryUsage;
  /** Told of every event of every run that goes on here. It must not throw. */
  onEvent?: (scope: Scope, runId: string, event: LiveRunEvent) => void;
  log: FollowLog;
}
