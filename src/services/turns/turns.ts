import { randomUUID } from 'node:crypto';
import type { List } from '../../contract/list.ts';
import type { DryRun, Receipt } from '../../contract/receipt.ts';
import type { Turn } from '../../contract/turn.ts';
import { assertMessageFits } from '../../copilot/assemble.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { findReceipt, selectTurns } from '../../db/turns.ts';
import { AppError } from '../../errors.ts';
import type { JobHandler } from '../../jobs/run-job.ts';
import type { Scope } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import { type PageRequest, readPage } from '../page.ts';
import { requireProject } from '../projects.ts';
import { type BegunTurn, beginRetry, beginTurn, requireTurn, type TurnRequest } from './begin.ts';
import type { LiveEvent, TurnDeps } from './deps.ts';
import { dryRunTurn } from './dry-run.ts';
import { INTERRUPTED, TurnStopped } from './failures.ts';
import { endForeignTurn } from './finish.ts';
import { assertLimitsFit } from './plan.ts';
import { probeText } from './retrieve.ts';
import { runTurn } from './run.ts';
import { createRunningTurns } from './running-turns.ts';
import { indexTurn } from './summarise-job.ts';
import type { TurnKey } from './turn-key.ts';
import { watchTurns } from './watch.ts';

/** A turn that was taken on: recorded, and running by itself. */
export interface StartedTurn {
  turnNumber: number;
  /** As it was recorded, in progress. */
  turn: Turn;
  /** The turn when it has ended. Rejects with an AppError, which has `turn_number`, when it fails. */
  done: Promise<Turn>;
}

/** A turn that the request's idempotency key stands for already: it runs, here or elsewhere, or has ended. */
export interface KnownTurn {
  turn: Turn;
  done: null;
}

/** How soon a turn that is cancelled through another instance stops, at the latest. */
const WATCH_MS = 500;

type OnEvent = (event: LiveEvent) => void;

/** The use cases of turns. */
export function createTurnService(deps: TurnDeps) {
  const { db, options } = deps;
  const holder = { holder: randomUUID(), seconds: options.leaseSeconds };
  const running = createRunningTurns();
  const watch = watchTurns(db, options.watchMs ?? WATCH_MS, (error) =>
    deps.log.warn({ err: error }, 'it could not be looked whether turns were cancelled'),
  );
  const keyOf = (scope: Scope, turnNumber: number): string =>
    JSON.stringify([scope.workspaceId, scope.projectId, turnNumber]);

  function launch(scope: Scope, begun: BegunTurn, onEvent: OnEvent | undefined): StartedTurn {
    const { turnNumber, turn } = begun;
    const emit: OnEvent = (event) => {
      for (const sink of [onEvent, (one: LiveEvent) => deps.onEvent?.(scope, turnNumber, one)]) {
        try {
          sink?.(event);
        } catch (error) {
          // whoever listens cannot stop the turn
          deps.log.warn({ err: error, turn: turnNumber }, 'a listener of a turn failed');
        }
      }
    };
    emit({ type: 'turn.created', data: turn });
    const controller = new AbortController();
    const key = keyOf(scope, turnNumber);
    const done = runTurn(deps, scope, begun, controller, watch, emit);
    running.add(key, { controller, done });
    done.catch(() => undefined); // told by the turn's row; nobody has to wait here
    return { turnNumber, turn, done };
  }

  function checked(request: TurnRequest): TurnRequest {
    const message = request.priming ? '' : storableText(request.message);
    if (!request.priming && message.trim() === '') {
      throw new AppError('invalid_request', {
        detail: 'A turn needs a message, unless it is a priming turn.',
        errors: [{ pointer: '/message', detail: 'must not be empty', code: 'too_small' }],
      });
    }
    const { knowledge } = deps;
    assertMessageFits(message, { knowledge, tools: STATE_TOOL_DEFINITIONS, budgets: options.budgets });
    if (request.limits) assertLimitsFit(deps, { ...request, message });
    return { ...request, message };
  }

  /** A turn as it is, one that its worker abandoned being marked as failed first. */
  async function read(scope: Scope, turnNumber: number): Promise<Turn> {
    const { turn, abandoned } = await requireTurn(db, scope, turnNumber);
    if (!abandoned) return turn;
    await endForeignTurn(deps, scope, turnNumber, {
      status: 'failed',
      error: INTERRUPTED,
      abandonedOnly: true,
    });
    return (await requireTurn(db, scope, turnNumber)).turn;
  }

  /**
   * What a repeated request gets: its turn as it is, or another attempt at one that failed and may be tried again. The
   * message is never taken on a second time.
   */
  async function rejoin(scope: Scope, turnNumber: number, key: TurnKey): Promise<StartedTurn | KnownTurn> {
    const turn = await read(scope, turnNumber);
    if (turn.status !== 'failed' || turn.error?.retryable === false) return { turn, done: null };
    try {
      const begun = await beginRetry(db, scope, turnNumber, holder, options.window, { ...key, held: true });
      if (!('known' in begun)) return launch(scope, begun, undefined);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // somebody else was faster
      const taken = error.code === 'turn_in_progress' && error.extra.turn_number === turnNumber;
      if (!taken && error.code !== 'turn_not_retryable') throw error;
    }
    return { turn: await read(scope, turnNumber), done: null };
  }

  /** A turn whose key is known already is rejoined, a new one launched. */
  function takeUp(
    scope: Scope,
    turn: BegunTurn | { known: number },
    key: TurnKey,
  ): StartedTurn | Promise<StartedTurn | KnownTurn> {
    return 'known' in turn ? rejoin(scope, turn.known, key) : launch(scope, turn, undefined);
  }

  function fresh(turn: BegunTurn | { known: number }): BegunTurn {
    if ('known' in turn) throw new Error('a turn without a key cannot be known');
    return turn;
  }

  return {
    /**
     * Takes a message on: the turn is recorded when this returns, and runs on whether or not anybody waits for it.
     *
     * @throws AppError `project_not_found`, `turn_in_progress`, `message_too_large`, `limits_too_low`,
     *   `invalid_request`
     */
    startTurn(scope: Scope, request: TurnRequest, onEvent?: OnEvent): Promise<StartedTurn> {
      return running.admit(async () => {
        const turn = await beginTurn(db, scope, checked(request), holder, options.window);
        return launch(scope, fresh(turn), onEvent);
      });
    },

    /**
     * The same under an idempotency key: a message that came before is answered with its turn.
     *
     * @throws AppError also `idempotency_key_reused`
     */
    startTurnOnce(scope: Scope, request: TurnRequest, key: TurnKey): Promise<StartedTurn | KnownTurn> {
      return running.admit(async () =>
        takeUp(scope, await beginTurn(db, scope, checked(request), holder, options.window, key), key),
      );
    },

    /**
     * Takes up a turn that failed or expired: the same number, another attempt.
     *
     * @throws AppError `turn_not_found`, `turn_not_retryable`, `turn_in_progress`
     */
    retryTurn(scope: Scope, turnNumber: number, onEvent?: OnEvent): Promise<StartedTurn> {
      return running.admit(async () => {
        const turn = await beginRetry(db, scope, turnNumber, holder, options.window);
        return launch(scope, fresh(turn), onEvent);
      });
    },

    /**
     * The same under an idempotency key.
     *
     * @throws AppError also `idempotency_key_reused`
     */
    retryTurnOnce(scope: Scope, turnNumber: number, key: TurnKey): Promise<StartedTurn | KnownTurn> {
      const claimed = { ...key, held: false };
      return running.admit(async () =>
        takeUp(scope, await beginRetry(db, scope, turnNumber, holder, options.window, claimed), key),
      );
    },

    /** What a turn would send and cost. Nothing is stored, and the large model is not called. */
    async dryRun(scope: Scope, request: TurnRequest, signal?: AbortSignal): Promise<DryRun> {
      return dryRunTurn(deps, scope, checked(request), signal ?? new AbortController().signal);
    },

    /** @throws AppError `project_not_found`, `turn_not_found` */
    async getTurn(scope: Scope, turnNumber: number): Promise<Turn> {
      await requireProject(db, scope);
      return read(scope, turnNumber);
    },

    /** @throws AppError `project_not_found`, `invalid_cursor` */
    async listTurns(scope: Scope, page: PageRequest): Promise<List<Turn>> {
      await requireProject(db, scope);
      const found = await readPage(
        page,
        (bounds) => selectTurns(db, scope, bounds),
        ({ turn }) => String(turn.turn_number),
      );
      const data = await Promise.all(
        found.data.map(({ turn, abandoned }) => (abandoned ? read(scope, turn.turn_number) : turn)),
      );
      return { ...found, data };
    },

    /**
     * The receipt of a turn; null while it has none yet, or when it ended before its context was assembled.
     *
     * @throws AppError `project_not_found`, `turn_not_found`
     */
    async getContext(scope: Scope, turnNumber: number): Promise<Receipt | null> {
      await requireProject(db, scope);
      await read(scope, turnNumber);
      return findReceipt(db, scope, turnNumber);
    },

    /**
     * Stops a turn, wherever it runs; what it had said by then is kept. A turn that has ended stays as it is.
     *
     * @throws AppError `project_not_found`, `turn_not_found`
     */
    async cancelTurn(scope: Scope, turnNumber: number): Promise<Turn> {
      const here = running.get(keyOf(scope, turnNumber));
      if (here) {
        // nothing is asked of the database first: the turn would run on meanwhile
        here.controller.abort(new TurnStopped('cancelled'));
        await here.done.catch(() => undefined);
      } else {
        // its worker finds out when it looks next
        const end = { status: 'cancelled', error: null, abandonedOnly: false } as const;
        await requireProject(db, scope);
        await requireTurn(db, scope, turnNumber);
        await endForeignTurn(deps, scope, turnNumber, end);
      }
      return (await requireTurn(db, scope, turnNumber)).turn;
    },

    /** Stops a turn that runs here and that another has ended: what is said from now on would be thrown away. */
    lose(scope: Scope, turnNumber: number): void {
      running.get(keyOf(scope, turnNumber))?.controller.abort(new TurnStopped('lost'));
    },

    /** Whether a turn runs in this process. */
    isRunning: (scope: Scope, turnNumber: number): boolean =>
      running.get(keyOf(scope, turnNumber)) !== undefined,

    /** The job that makes a turn findable. */
    summariseHandler: {
      run: (job, signal) => indexTurn(deps, job, Number(job.subject), signal),
      async giveUp(job, error) {
        deps.log.error(
          { err: error, turn: job.subject },
          'a turn has no vector: it is found by its words only',
        );
      },
    } satisfies JobHandler,

    /** Embeds the probes' texts ahead of the first turn; a failure is left to the turns. */
    async warmUp(): Promise<void> {
      const { probes } = deps.knowledge;
      for (const probe of [...probes.discovery, ...probes.evaluation]) {
        await deps.embedder.embed(probeText(probe)).catch(() => null);
      }
    },

    /**
     * Begins no turn any more, lets those that run end by themselves for `graceMs`, then interrupts them; they can be
     * retried.
     */
    stop: running.stop,
  };
}

export type TurnService = ReturnType<typeof createTurnService>;
