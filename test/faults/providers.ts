import { setTimeout as delay } from 'node:timers/promises';
import { type FakeAnthropic, type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';

type Request = FakeAnthropic['requests'][number];

const ROUTE = {
  next_probe: 'stakeholder-mapping',
  triggered_patterns: [],
  active_mode: 'discovery',
  action: 'probe',
  requires_retrieval: true,
  relevant_files: [],
  reason: 'Several people are named.',
};
const STEP_MS = 60;
const PIECES = 12;

/** The words that the turn's user said: each request of it has them. */
const says = (request: Request, words: string): boolean => JSON.stringify(request.messages).includes(words);

/** Whether it is the end of a turn that is asked for: its tools have been called. */
export const lastIsToolResult = (request: Request): boolean =>
  JSON.stringify(request.messages.at(-1)).includes('"tool_result"');

/** A turn of two calls: some text and a tool call, then the end. Each takes a while, so that it can be caught in between. */
async function answer(request: Request): Promise<Scripted> {
  await delay(STEP_MS);
  const text = Array.from({ length: PIECES }, (_, piece) => `piece ${piece} `);
  if (lastIsToolResult(request)) return { text: [...text, 'done.'] };
  const assumption = { statement: 'Dana can approve alone', confidence: 'guessed', impact: 'high' };
  return { text, toolCalls: [{ name: 'register_assumption', input: assumption }] };
}

/** Both providers, on the loopback interface, and what they were asked. */
export async function startProviders(reply: (request: Request) => Promise<Scripted> = answer) {
  const anthropic = await startFakeAnthropic({
    reply: async (request) => {
      if (request.output_config?.format !== undefined) {
        await delay(STEP_MS / 2);
        return { json: ROUTE };
      }
      return request.tools ? reply(request) : { text: 'A summary.' };
    },
  });
  const voyage = await startFakeVoyage();
  return {
    settings: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: anthropic.url,
      VOYAGE_API_KEY: 'test-key',
      VOYAGE_BASE_URL: voyage.url,
    },
    /** How often the large model was asked in turns with these words: for their beginning, and for their end. */
    asked(words: string): { first: number; last: number } {
      const calls = anthropic.requests.filter((request) => request.tools && says(request, words));
      const last = calls.filter(lastIsToolResult).length;
      return { first: calls.length - last, last };
    },
    async close(): Promise<void> {
      await anthropic.close();
      await voyage.close();
    },
  };
}
