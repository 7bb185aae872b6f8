import type { TurnsImport } from '../../contract/turns-import.ts';
import type { Database } from '../../db/database.ts';
import { saveState } from '../../db/projects.ts';
import { insertPastExchanges, type PastExchange } from '../../db/turn-import.ts';
import { findPosition } from '../../db/turn-window.ts';
import { wrongField } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { requireProject } from '../projects.ts';
import { clearTheWay } from './begin.ts';
import { parseConversation } from './conversation.ts';
import { enqueueSummary } from './enqueue-summary.ts';

export interface TurnImportDeps {
  db: Database;
  /** Told that jobs were committed. */
  onJob: () => void;
}

/** The use case of a conversation that was held elsewhere. */
export function createTurnImport({ db, onJob }: TurnImportDeps) {
  return {
    /**
     * Adds a conversation behind the turns that there are, all of it or nothing. Its turns are completed, without routing or
     * receipt, and are summarised and indexed like any other.
     *
     * @param text JSON Lines (`parseConversation`)
     * @throws AppError `project_not_found`, `turn_in_progress`, `invalid_request` with the lines that are wrong
     */
    async importTurns(scope: Scope, text: string): Promise<TurnsImport> {
      const exchanges = parseConversation(text);
      const first = await db.transaction(async (tx) => {
        const { state } = await requireProject(tx, scope, { lock: 'change' });
        const { running, next } = await findPosition(tx, scope, 0);
        if (running) await clearTheWay(tx, scope, running);
        if (next > 1) refuseOpening(exchanges);
        await insertPastExchanges(tx, scope, next, exchanges);
        await saveState(tx, scope, { ...state, turn_count: next + exchanges.length - 1 });
        for (let turn = next; turn < next + exchanges.length; turn += 1) {
          await enqueueSummary(tx, scope, turn);
        }
        return next;
      });
      onJob();
      const last = first + exchanges.length - 1;
      return { object: 'turns_import', imported: exchanges.length, first_turn: first, last_turn: last };
    },
  };
}

/** The assistant can open a project only once. */
function refuseOpening(exchanges: readonly PastExchange[]): void {
  if (!exchanges[0]?.priming) return;
  throw wrongField('invalid_request', {
    pointer: '/1/role',
    detail:
      'The conversation begins with a reply, and the project has turns already: begin with a message of the user.',
    code: 'out_of_order',
  });
}

export type TurnImportService = ReturnType<typeof createTurnImport>;
