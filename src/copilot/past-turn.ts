import type { Routing } from '../contract/routing.ts';
import type { PastTurn } from '../contract/turn.ts';

/** What stands for the message of a turn that had none. */
export const PRIMING_MESSAGE =
  'The user has opened the project and has not written anything yet. Introduce yourself in a few sentences, say what the ' +
  'state and the files tell you about the project, and ask two or three questions to start with.';

/** Whether a turn's message was a mere acknowledgement: nothing was looked up for it, by the router's own decision. */
export const isFiller = (routing: Routing | null): boolean =>
  routing !== null && !routing.requires_retrieval && routing.source !== 'override';

/** The two halves of an exchange; a half that is missing, or not whole, says why. */
export function exchangeOf(turn: Omit<PastTurn, 'turn_number'>): { message: string; response: string } {
  const wasCancelled = turn.status === 'cancelled';
  const said = turn.response ?? '';
  let response = said;
  if (said === '') response = `(No reply: this turn ${wasCancelled ? 'was cancelled' : 'failed'}.)`;
  else if (wasCancelled) response = `${said}\n(The user stopped the reply here.)`;
  return { message: turn.priming ? '(The user opened the project.)' : turn.message, response };
}
