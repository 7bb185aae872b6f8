import {
  type Conversation,
  condenseConversation,
  condensedExtract,
  condensedInput,
  condensedOutput,
  type Exchange,
} from '../../copilot/condense.ts';
import { withoutMarkers } from '../../copilot/markers.ts';
import { type PhaseUsage, withCall } from '../../copilot/usage.ts';
import {
  findUnsummarised,
  type LeftTurn,
  passOverTurns,
  saveConversationSummary,
} from '../../db/conversation-summary.ts';
import { holdProject } from '../../db/projects.ts';
import { lockTurnForSummary } from '../../db/turn-summaries.ts';
import { findTurn } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';
import type { TurnDeps } from './deps.ts';
import { bookSummary, isAffordable } from './summary-cost.ts';

/** Turns read at a time: as a rule one has left the window, more only after an outage, or in a project of an older release. */
const TURNS_OF_A_CALL = 6;

/**
 * Brings the summary of the conversation up to date with the turns that have left the window. Acknowledgements are passed
 * over, and turns in which nothing was said; where nothing else is left, no model is asked. The call is paid for by the
 * last turn that it condenses, within what that turn was allowed to cost; sentences chosen by rules stand in when it may
 * not, or when the model fails.
 *
 * A repeat does only what is missing. Two at the same time both end well: each stores a summary only over the one that it
 * was made from.
 */
export async function updateConversationSummary(
  deps: TurnDeps,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const reach = { window: deps.options.window, limit: TURNS_OF_A_CALL };
    const left = await findUnsummarised(deps.db, scope, reach);
    const last = left?.turns.at(-1);
    if (!left || !last) return;
    const exchanges = left.turns.filter(({ filler }) => !filler).flatMap(exchangeOf);
    const payer = exchanges.at(-1)?.turnNumber;
    const range = { from: left.through, through: last.turn_number };
    if (payer === undefined) await passOverTurns(deps.db, scope, range);
    else {
      await condense(deps, scope, { previous: left.summary, exchanges }, { ...range, payer }, signal);
    }
  }
}

async function condense(
  deps: TurnDeps,
  scope: Scope,
  conversation: Conversation,
  { from, through, payer }: { from: number; through: number; payer: number },
  signal: AbortSignal,
): Promise<void> {
  const call = {
    inputTokens: condensedInput(conversation),
    outputTokens: condensedOutput(deps.models.summary.id),
  };
  const paying = await findTurn(deps.db, scope, payer);
  const tooDear = paying !== null && !isAffordable(deps, paying, call);
  let spent: PhaseUsage | undefined;
  const summary = tooDear
    ? condensedExtract(conversation)
    : await condenseConversation(deps.models.summary, conversation, signal, (usage, model) => {
        spent = withCall(spent, model, usage);
      });
  await deps.db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return;
    await saveConversationSummary(tx, scope, { summary, from, through });
    const row = await lockTurnForSummary(tx, scope, payer);
    // what was called for is paid for, whether or not another was faster
    if (row) await bookSummary(tx, scope, payer, row, { spent, tooDear });
  });
}

/** What was said in a turn; nothing in one that was neither asked nor answered. */
function exchangeOf({
  turn_number: turnNumber,
  priming,
  message: said,
  response: reply,
}: LeftTurn): Exchange[] {
  const message = priming ? '' : said.trim();
  const response = withoutMarkers(reply ?? '').trim();
  return message === '' && response === '' ? [] : [{ turnNumber, message, response }];
}
