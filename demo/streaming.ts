import { createAnswerPrinter } from './answer-printer.ts';
import { CheckFailed, type Checks } from './checks.ts';
import type { Client } from './client.ts';
import { deltaOf, isEnd, replyOf } from './events.ts';
import { line, printMessage, printRoute } from './print.ts';
import type { TurnAnswer, TurnEvent } from './wire.ts';

/** What a client has seen of a turn. */
interface Watched {
  events: TurnEvent[];
  printer: ReturnType<typeof createAnswerPrinter>;
}

/** Shows the events as they come, until the last one or until one that is enough. */
async function watch(events: AsyncIterable<TurnEvent>, watched: Watched, enough = isEnd): Promise<void> {
  for await (const event of events) {
    watched.events.push(event);
    if (event.event === 'turn.created') printMessage(event.data.turn_number, event.data.message);
    if (event.event === 'route.decided') printRoute(event.data);
    watched.printer.add(deltaOf(event));
    if (enough(event)) return;
  }
}

/** Its number, which its first event tells. */
function numberOf({ events: [first] }: Watched): number {
  if (first?.event !== 'turn.created') throw new CheckFailed('the first event was not that of a turn');
  return first.data.turn_number;
}

/** That the events of a turn came one by one, each once, with the turn's end as the last. */
function checkEvents(checks: Checks, where: string, { events }: Watched, end: string): void {
  const ids = events.map(({ id }) => id);
  checks.that(
    ids.every((id, index) => id === index + 1),
    `${where} came as events ${ids.join(', ')}`,
  );
  const ends = events.filter(isEnd).map(({ event }) => event);
  checks.that(ends.join() === end, `${where} ended with ${ends.join() || 'no event'}, not ${end}`);
}

/**
 * One turn as server-sent events, its answer printed while it comes. With `leave` the client goes away at the first words
 * and comes back with the number of the event that it saw last.
 */
export async function streamTurn(
  client: Client,
  checks: Checks,
  project: string,
  message: string,
  { leave }: { leave: boolean },
): Promise<TurnAnswer> {
  const watched: Watched = { events: [], printer: createAnswerPrinter('answer') };
  await watch(client.turn(project, { message }), watched, leave ? (event) => deltaOf(event) !== '' : isEnd);
  const number = numberOf(watched);
  const seen = watched.events.at(-1)?.id ?? 0;
  if (leave) await watch(client.followTurn(project, number, { after: seen }), watched);
  watched.printer.end();
  const where = `turn ${number} ("${message}")`;
  checkEvents(checks, where, watched, 'turn.completed');
  const turn = watched.events.at(-1)?.data as TurnAnswer;
  const said = replyOf(watched.events);
  checks.that(said.trim() === turn.response, `${where} said one thing and kept another`);
  const all = watched.events.length;
  line(
    'events',
    leave ? `${all}: left after ${seen}, came back with Last-Event-ID ${seen}` : `${all}, as they came`,
  );
  return turn;
}

/** One turn that is cancelled as soon as it runs. */
export async function cancelTurn(
  client: Client,
  checks: Checks,
  project: string,
  message: string,
): Promise<void> {
  const watched: Watched = { events: [], printer: createAnswerPrinter('answer') };
  const events = client.turn(project, { message });
  await watch(events, watched, () => true);
  const number = numberOf(watched);
  const from = performance.now();
  const answered = client.cancel(project, number);
  await watch(client.followTurn(project, number, { after: 1 }), watched);
  watched.printer.end();
  const where = `turn ${number} ("${message.slice(0, 40)}...")`;
  checkEvents(checks, where, watched, 'turn.cancelled');
  checks.that(
    (await answered).status === 'cancelled',
    `${where} was cancelled, and is ${(await answered).status}`,
  );
  const kept = await client.getTurn(project, number);
  checks.that(kept.message === message, `${where} lost its message`);
  line(
    'cancelled',
    `after ${Math.round(performance.now() - from)} ms; the message is kept, the next turn can begin`,
  );
}
