import { createAnswerPrinter } from './answer-printer.ts';
import type { Checks } from './checks.ts';
import type { Client } from './client.ts';
import { deltaOf, isEnd, readEvents, replyOf, type StreamEvent } from './events.ts';
import { line, printMessage, printRoute } from './print.ts';
import type { Routing, TurnAnswer } from './wire.ts';

/** What a client has seen of a turn. */
interface Watched {
  events: StreamEvent[];
  printer: ReturnType<typeof createAnswerPrinter>;
}

/** Shows the events as they come, until the last one or until one that is enough. */
async function watch(response: Response, watched: Watched, enough = isEnd): Promise<void> {
  for await (const event of readEvents(response)) {
    watched.events.push(event);
    if (event.event === 'route.decided') printRoute(event.data as Routing);
    watched.printer.add(deltaOf(event));
    if (enough(event)) return;
  }
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
  const response = await client.stream(project, message);
  const number = Number(response.headers.get('location')?.split('/').at(-1));
  printMessage(number, message);
  await watch(response, watched, leave ? (event) => deltaOf(event) !== '' : isEnd);
  const seen = watched.events.at(-1)?.id ?? 0;
  if (leave) await watch(await client.follow(project, number, seen), watched);
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
  const response = await client.stream(project, message);
  const number = Number(response.headers.get('location')?.split('/').at(-1));
  printMessage(number, message);
  const from = performance.now();
  const answered = client.cancel(project, number);
  await watch(response, watched);
  watched.printer.end();
  const where = `turn ${number} ("${message.slice(0, 40)}...")`;
  checkEvents(checks, where, watched, 'turn.cancelled');
  checks.that(
    (await answered).status === 'cancelled',
    `${where} was cancelled, and is ${(await answered).status}`,
  );
  const kept = await client.turn(project, number);
  checks.that(kept.message === message, `${where} lost its message`);
  line(
    'cancelled',
    `after ${Math.round(performance.now() - from)} ms; the message is kept, the next turn can begin`,
  );
}
