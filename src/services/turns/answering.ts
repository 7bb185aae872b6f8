import { type Cited, resolveCitations } from '../../copilot/citations.ts';
import { type ReadResults, withResult } from '../../copilot/read-results.ts';
import type { AnswerEvent } from '../../copilot/respond.ts';
import type { SentPassage } from '../../copilot/sections/documents.ts';
import type { LeafPlace } from '../../db/leaf-places.ts';
import type { Journal } from './journal.ts';

/** Keeps of an event what the turn's row and receipt are to have. */
export function noteEvent(
  journal: Journal,
  event: AnswerEvent,
  { results, turnBudget }: { results: ReadResults; turnBudget: number },
): void {
  if (event.type === 'tool.returned' && journal.assembled) {
    const { id, name, content, is_error: isError } = event.data;
    const result = { id, name, content, isError, markers: results.markersOf(id) };
    journal.assembled = withResult(journal.assembled, result, turnBudget);
  }
  if (event.type === 'answer.reset') journal.partial = '';
  if (event.type !== 'answer.delta') return;
  if (journal.timings.first_token === undefined) journal.time('first_token', journal.elapsed());
  journal.partial += event.data.text;
}

/** The reply with its markers resolved in what the turn was shown, which its receipt then has. */
export function citeReply(
  journal: Journal,
  reply: string,
  shown: SentPassage[],
  leaves: readonly LeafPlace[],
): Cited {
  if (journal.assembled) journal.assembled = { ...journal.assembled, passages: shown };
  const cited = resolveCitations(reply, shown, leaves);
  journal.citations = { resolved: cited.citations.length, removed: cited.removed };
  return cited;
}
