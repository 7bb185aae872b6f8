import type { List } from '../../contract/list.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Turn } from '../../contract/turn.ts';
import { findReceipt, selectTurns } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';
import { type PageRequest, readPage } from '../page.ts';
import { requireProject } from '../projects.ts';
import { requireTurn } from './begin.ts';
import type { TurnDeps } from './deps.ts';
import { INTERRUPTED } from './failures.ts';
import { endForeignTurn } from './finish.ts';

/**
 * A turn as it is, one that its worker abandoned being marked as failed first.
 *
 * @throws AppError `turn_not_found`
 */
export async function readTurn(deps: TurnDeps, scope: Scope, turnNumber: number): Promise<Turn> {
  const { turn, abandoned } = await requireTurn(deps.db, scope, turnNumber);
  if (!abandoned) return turn;
  const end = { status: 'failed', error: INTERRUPTED, abandonedOnly: true } as const;
  await endForeignTurn(deps, scope, turnNumber, end);
  return (await requireTurn(deps.db, scope, turnNumber)).turn;
}

/** The use cases of looking at turns. */
export function createTurnReader(deps: TurnDeps) {
  const { db } = deps;
  return {
    /** @throws AppError `project_not_found`, `turn_not_found` */
    async getTurn(scope: Scope, turnNumber: number): Promise<Turn> {
      await requireProject(db, scope);
      return readTurn(deps, scope, turnNumber);
    },

    /** @throws AppError `project_not_found`, `invalid_cursor` */
    async listTurns(scope: Scope, page: PageRequest): Promise<List<Turn>> {
      await requireProject(db, scope);
      const found = await readPage(
        { of: 'turns', scope },
        page,
        (bounds) => selectTurns(db, scope, bounds),
        ({ turn }) => String(turn.turn_number),
      );
      const data = await Promise.all(
        found.data.map(({ turn, abandoned }) => (abandoned ? readTurn(deps, scope, turn.turn_number) : turn)),
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
      await readTurn(deps, scope, turnNumber);
      return findReceipt(db, scope, turnNumber);
    },
  };
}
