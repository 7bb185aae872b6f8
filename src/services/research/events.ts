import type { ResearchRun } from '../../contract/research.ts';
import type { ResearchEvent } from '../../contract/research-event.ts';
import type { Database } from '../../db/database.ts';
import { insertEvents, selectChanged, selectEvents } from '../../db/research-runs.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { createEventLog, type EventLog } from '../followed/event-log.ts';
import { errorOfFailure } from '../followed/failures.ts';
import { createFollower } from '../followed/follow.ts';
import type { FollowedKind, FollowLog } from '../followed/kind.ts';

type EndOfRun = Extract<
  ResearchEvent,
  { type: `run.${'completed' | 'needs_clarification' | 'step_limit_reached' | 'failed' | 'cancelled'}` }
>;

const isTerminal = (event: ResearchEvent): event is EndOfRun =>
  event.type.startsWith('run.') && event.type !== 'run.created';

const RUNS: FollowedKind<string, ResearchEvent> = {
  noun: 'research run',
  insertEvents,
  selectEvents,
  selectChanged,
  attemptOf: (event) => (event.type === 'run.created' ? event.data.attempt : null),
  isTerminal,
};

export type ResearchEventLog = EventLog<string, ResearchEvent>;

/** Where the events of the runs that go on here go. */
export const createResearchEventLog = (options: { db: Database; log: FollowLog }): ResearchEventLog =>
  createEventLog(RUNS, options);

/** The events of runs for those who follow them, wherever the runs go on. */
export function createResearchEventService({
  getRun,
  ...source
}: {
  db: Database;
  events: ResearchEventLog;
  /** The run as it is, an abandoned one being ended first. */
  getRun: (scope: Scope, runId: string) => Promise<ResearchRun>;
  log: FollowLog;
}) {
  const { follow, isOver, last } = createFollower({
    ...source,
    kind: RUNS,
    async endOf(scope, runId) {
      const run = await getRun(scope, runId);
      return run.status === 'in_progress' ? null : { type: `run.${run.status}` as const, data: run };
    },
  });

  return {
    follow,
    isOver,

    /**
     * Waits for a run's end, and gives the run as its last event has it.
     *
     * @throws AppError what made it fail, with `run_id`; `service_unavailable` when the signal ends first
     */
    async ended(scope: Scope, runId: string, signal: AbortSignal): Promise<ResearchRun> {
      const event = await last(scope, runId, signal);
      if (!event || !isTerminal(event)) {
        throw new AppError('service_unavailable', { detail: 'The run goes on. Read it again.' });
      }
      if (event.type === 'run.failed') throw errorOfRun(event.data);
      return event.data;
    },
  };
}

export type ResearchEventService = ReturnType<typeof createResearchEventService>;

/** What made a run fail, as it is shown, in the terms of the closed table. */
export const errorOfRun = ({ error, id }: ResearchRun): AppError => errorOfFailure(error, { run_id: id });
