import { createHash } from 'node:crypto';
import { isFiller } from '../../copilot/past-turn.ts';
import { extractOf, summariseTurn, summaryOutput, summaryTokens } from '../../copilot/summarise.ts';
import { type PhaseUsage, withCall } from '../../copilot/usage.ts';
import { cacheKey } from '../../db/embedding-cache.ts';
import { writeTurnPostings } from '../../db/postings.ts';
import { holdProject } from '../../db/projects.ts';
import type { StoredTurn } from '../../db/turn-record.ts';
import {
  findTurnSummary,
  insertTurnSummary,
  lockTurnForSummary,
  setSummaryEmbedding,
} from '../../db/turn-summaries.ts';
import { findTurn } from '../../db/turns.ts';
import { addUsage } from '../../db/usage.ts';
import { makesVectors } from '../../embeddings/off.ts';
import type { Scope } from '../../scope.ts';
import { turnWords } from '../../text/postings.ts';
import { storableText } from '../../text/storable.ts';
import { embedWithCache } from '../embedding-cache.ts';
import { holdEmbeddingModel } from '../embedding-settings.ts';
import { updateConversationSummary } from './condense-job.ts';
import type { TurnDeps } from './deps.ts';
import { bookSummary, isAffordable } from './summary-cost.ts';

/**
 * What is to be remembered after a turn: a summary of one or two sentences by which it is found, the summary of the
 * conversation, and the vector. A repeat does only what is missing, so nothing is charged twice.
 *
 * @throws EmbeddingError when the summary cannot be embedded: the turn is found by its words until a repeat succeeds
 */
export async function rememberTurn(
  deps: TurnDeps,
  scope: Scope,
  turnNumber: number,
  signal: AbortSignal,
): Promise<void> {
  const unembedded = await indexTurn(deps, scope, turnNumber, signal);
  await updateConversationSummary(deps, scope, signal);
  if (unembedded) await embedSummary(deps, scope, turnNumber, unembedded, signal);
}

/**
 * Indexes a turn that has ended, however it did: its summary, and its words. An acknowledgement gets an extract and no
 * vector: there is nothing in it to be found by.
 *
 * @returns the summary that has to be embedded still; null: there is none
 */
async function indexTurn(
  deps: TurnDeps,
  scope: Scope,
  turnNumber: number,
  signal: AbortSignal,
): Promise<string | null> {
  const stored = await findTurn(deps.db, scope, turnNumber);
  if (!stored || stored.turn.status === 'in_progress') return null;
  const known = await findTurnSummary(deps.db, scope, turnNumber);
  const isEmbedding = makesVectors(deps.embeddingModel);
  if (known?.embedded) return null;
  const summary = known?.summary ?? (await writeSummary(deps, scope, stored, signal));
  return isEmbedding && !isFiller(stored.turn.routing) ? summary : null;
}

async function embedSummary(
  deps: TurnDeps,
  scope: Scope,
  turnNumber: number,
  summary: string,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256').update(summary).digest('hex');
  const inputs = [{ hash: cacheKey(scope.workspaceId, hash), text: summary }];
  const { vectors, calls, tokens } = await embedWithCache(deps.db, deps.embeddingModel, inputs, {
    inputType: 'document',
    signal,
  });
  const model = deps.embeddingModel.id;
  await addUsage(deps.db, scope, { phase: 'embed_turns', model, calls, input_tokens: tokens });
  const vector = vectors[0];
  if (!vector) return;
  await deps.db.transaction(async (tx) => {
    await holdEmbeddingModel(tx, deps.embeddingModel);
    await setSummaryEmbedding(tx, scope, turnNumber, summary, vector);
  });
}

/** The stored summary, or null when the turn has been taken up again or removed meanwhile. */
async function writeSummary(
  deps: TurnDeps,
  scope: Scope,
  stored: StoredTurn,
  signal: AbortSignal,
): Promise<string | null> {
  const { turn } = stored;
  const exchange = { message: turn.message, response: turn.response ?? '' };
  // neither an acknowledgement nor a turn without an answer is worth a call
  const isWorthwhile = turn.status === 'completed' && !isFiller(turn.routing);
  const model = deps.models.summary;
  const call = { inputTokens: summaryTokens(exchange), outputTokens: summaryOutput(model.id) };
  const tooDear = isWorthwhile && !isAffordable(deps, stored, call);
  let spent: PhaseUsage | undefined;
  const made =
    isWorthwhile && !tooDear
      ? await summariseTurn(model, exchange, signal, (usage, id) => {
          spent = withCall(spent, id, usage);
        })
      : { summary: extractOf(exchange), source: 'extract' as const };
  if (isWorthwhile && !tooDear && made.source === 'extract') deps.onExtract?.();
  const summary = storableText(made.summary);
  return deps.db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return null;
    const row = await lockTurnForSummary(tx, scope, turn.turn_number);
    if (!row || row.attempt !== turn.attempt) return null;
    await insertTurnSummary(tx, scope, turn.turn_number, { summary, source: made.source });
    await writeTurnPostings(tx, scope, turn.turn_number, turnWords(exchange));
    await bookSummary(tx, scope, turn.turn_number, row, { spent, tooDear });
    return summary;
  });
}
