import { createHash } from 'node:crypto';
import type { AppliedLimit, TurnLimits } from '../../contract/limits.ts';
import type { Turn } from '../../contract/turn.ts';
import { extractOf, summariseTurn, summaryOutput, summaryTokens } from '../../copilot/summarise.ts';
import { limitFactor } from '../../copilot/token-calibration.ts';
import { mergeUsage, type PhaseUsage, usageView, withCall } from '../../copilot/usage.ts';
import { writeTurnPostings } from '../../db/postings.ts';
import { holdProject } from '../../db/projects.ts';
import { addAppliedLimit } from '../../db/turn-end.ts';
import type { StoredTurn } from '../../db/turn-record.ts';
import {
  findTurnSummary,
  insertTurnSummary,
  lockTurnForSummary,
  setSummaryEmbedding,
  setTurnUsage,
} from '../../db/turn-summaries.ts';
import { findTurn } from '../../db/turns.ts';
import { addUsage } from '../../db/usage.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { Scope } from '../../scope.ts';
import { turnWords } from '../../text/postings.ts';
import { storableText } from '../../text/storable.ts';
import { embedWithCache } from '../embedding-cache.ts';
import { holdEmbeddingModel } from '../embedding-settings.ts';
import type { TurnDeps } from './deps.ts';

type Exchange = { message: string; response: string };

/** One call less: an extract stands in for the model's summary. */
const NO_SUMMARY_CALL: AppliedLimit = { limit: 'max_cost_usd', setting: 'summary', from: 1, to: 0 };

/**
 * Makes a turn findable: a summary of one or two sentences, its vector, and its words in the lexical index. Every turn
 * that has ended is indexed. A repeat does only what is missing, so nothing is charged twice.
 *
 * @throws EmbeddingError when the summary cannot be embedded: the turn is found by its words until a repeat succeeds
 */
export async function indexTurn(
  deps: TurnDeps,
  scope: Scope,
  turnNumber: number,
  signal: AbortSignal,
): Promise<void> {
  const stored = await findTurn(deps.db, scope, turnNumber);
  if (!stored || stored.turn.status === 'in_progress') return;
  const known = await findTurnSummary(deps.db, scope, turnNumber);
  const isEmbedding = makesVectors(deps.embeddingModel);
  if (known && (known.embedded || !isEmbedding)) return;
  const summary = known?.summary ?? (await writeSummary(deps, scope, stored, signal));
  if (summary === null || summary === '' || !isEmbedding) return;
  const hash = createHash('sha256').update(summary).digest('hex');
  const { vectors, calls, tokens } = await embedWithCache(
    deps.db,
    deps.embeddingModel,
    [{ hash, text: summary }],
    {
      inputType: 'document',
      signal,
    },
  );
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
  { turn, options }: StoredTurn,
  signal: AbortSignal,
): Promise<string | null> {
  const exchange = { message: turn.message, response: turn.response ?? '' };
  const tooDear = turn.status === 'completed' && !isWithinCost(deps, options.limits, turn, exchange);
  // a turn without an answer is not worth a call either
  let spent: PhaseUsage | undefined;
  const made =
    turn.status === 'completed' && !tooDear
      ? await summariseTurn(deps.models.summary, exchange, signal, (usage, model) => {
          spent = withCall(spent, model, usage);
        })
      : { summary: extractOf(exchange), source: 'extract' as const };
  const summary = storableText(made.summary);
  const usage = usageView(spent ? { summary: spent } : {});
  return deps.db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return null;
    const row = await lockTurnForSummary(tx, scope, turn.turn_number);
    if (!row || row.attempt !== turn.attempt) return null;
    await insertTurnSummary(tx, scope, turn.turn_number, { summary, source: made.source });
    if (tooDear) await addAppliedLimit(tx, scope, turn.turn_number, NO_SUMMARY_CALL);
    await writeTurnPostings(tx, scope, turn.turn_number, turnWords(exchange));
    await setTurnUsage(tx, scope, turn.turn_number, mergeUsage(row.usage, usage));
    return summary;
  });
}

/** Whether what the turn was allowed to cost leaves enough for the longest summary there can be. */
function isWithinCost(
  deps: TurnDeps,
  limits: TurnLimits | undefined,
  turn: Turn,
  exchange: Exchange,
): boolean {
  const limit = limits?.max_cost_usd;
  if (limit === undefined) return true;
  const model = deps.models.summary.id;
  const inputTokens = summaryTokens(exchange) * limitFactor(deps.calibrator.of(model));
  const cost = costUsd(model, { inputTokens, outputTokens: summaryOutput(model) });
  return cost !== null && (turn.usage?.cost_usd ?? 0) + cost <= limit;
}
