import { randomUUID } from 'node:crypto';
import type { Turn } from '../../contract/turn.ts';
import { assertMessageFits } from '../../copilot/assemble.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import {
  type Beginning,
  type BegunTurn,
  beginNextAttempt,
  beginRetry,
  beginTurn,
  type TurnRequest,
} from './begin.ts';
import type { TurnDeps } from './deps.ts';
import { assertLimitsFit } from './plan.ts';
import { readTurn } from './read.ts';
import type { StartedTurn, TurnRunner } from './runner.ts';
import type { KeyedTurn, TurnKey } from './turn-key.ts';

/** A turn that the request's idempotency key stands for already: it runs, here or elsewhere, or has ended. */
export interface KnownTurn {
  turn: Turn;
  done: null;
}

/**
 * A request as it is taken on.
 *
 * @throws AppError `invalid_request`, `message_too_large`, `limits_too_low`
 */
export function checkedRequest(deps: TurnDeps, request: TurnRequest): TurnRequest {
  const message = request.priming ? '' : storableText(request.message);
  if (!request.priming && message.trim() === '') {
    throw new AppError('invalid_request', {
      detail: 'A turn needs a message, unless it is a priming turn.',
      errors: [{ pointer: '/message', detail: 'must not be empty', code: 'too_small' }],
    });
  }
  const { knowledge, options } = deps;
  assertMessageFits(message, { knowledge, tools: STATE_TOOL_DEFINITIONS, budgets: options.budgets });
  if (request.limits) assertLimitsFit(deps, { ...request, message });
  // there is nothing to look for in the opening of a project
  return { ...request, message, ...(request.priming && { research: false }) };
}

/** Somebody else was faster with a retry. */
const isOvertaken = (error: unknown, turnNumber: number): boolean =>
  error instanceof AppError &&
  (error.code === 'turn_not_retryable' ||
    (error.code === 'turn_in_progress' && error.extra.turn_number === turnNumber));

/** The use cases that make turns run. */
export function createTurnStarter(deps: TurnDeps, { launch, admit }: TurnRunner) {
  const { db, options } = deps;
  const lease = { holder: randomUUID(), seconds: options.leaseSeconds, mostAtOnce: options.mostAtOnce };
  const { window } = options;
  const beginning = (scope: Scope, key: TurnKey | null): Beginning => ({ db, scope, lease, window, key });

  /**
   * What a repeated request gets: its turn as it is, or another attempt at one that failed and may be tried again. The
   * message is never taken on a second time.
   */
  async function rejoin(scope: Scope, { known, key }: KeyedTurn): Promise<StartedTurn | KnownTurn> {
    const turn = await readTurn(deps, scope, known);
    if (turn.status !== 'failed' || turn.error?.retryable === false) return { turn, done: null };
    try {
      return launch(scope, await beginNextAttempt(beginning(scope, key), known));
    } catch (error) {
      if (!isOvertaken(error, known)) throw error;
    }
    return { turn: await readTurn(deps, scope, known), done: null };
  }

  const takeUp = (scope: Scope, begun: BegunTurn | KeyedTurn) =>
    'known' in begun ? rejoin(scope, begun) : launch(scope, begun);

  /**
   * Takes a message on: the turn is recorded when this returns, and runs on whether or not anybody waits for it. With an
   * idempotency key, a message that came before is answered with its turn.
   *
   * @throws AppError `project_not_found`, `turn_in_progress`, `concurrency_limit`, `message_too_large`, `limits_too_low`,
   *   `invalid_request`, `idempotency_key_reused`
   */
  function startTurn(scope: Scope, request: TurnRequest): Promise<StartedTurn>;
  function startTurn(
    scope: Scope,
    request: TurnRequest,
    key: TurnKey | null,
  ): Promise<StartedTurn | KnownTurn>;
  async function startTurn(scope: Scope, request: TurnRequest, key: TurnKey | null = null) {
    return admit(async () =>
      takeUp(scope, await beginTurn(beginning(scope, key), checkedRequest(deps, request))),
    );
  }

  /**
   * Takes up a turn that failed or expired: the same number, another attempt. With an idempotency key, a retry that came
   * before is answered with the turn.
   *
   * @throws AppError `project_not_found`, `turn_not_found`, `turn_not_retryable`, `turn_in_progress`,
   *   `concurrency_limit`, `idempotency_key_reused`
   */
  function retryTurn(scope: Scope, turnNumber: number): Promise<StartedTurn>;
  function retryTurn(scope: Scope, turnNumber: number, key: TurnKey | null): Promise<StartedTurn | KnownTurn>;
  async function retryTurn(scope: Scope, turnNumber: number, key: TurnKey | null = null) {
    return admit(async () => takeUp(scope, await beginRetry(beginning(scope, key), turnNumber)));
  }

  return { startTurn, retryTurn };
}
