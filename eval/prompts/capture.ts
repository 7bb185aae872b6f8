import { claudeModel } from '../../src/llm/models.ts';
import { countTokens } from '../../src/text/tokens.ts';
import type { AnthropicRequestBody } from '../../test/fakes/anthropic-request-check.ts';
import { blocksOf, createPromptCache } from '../../test/fakes/prompt-cache.ts';
import { isAnswering, ROUTE, startKeyedApp } from '../../test/helpers/keyed-app.ts';
import { BEFORE_LONG, CASES, DOCUMENTS, type PromptCase } from './cases.ts';

/** A stretch of a request, with a long text cut down. */
export interface CapturedBlock {
  place: string;
  tokens: number;
  marked: boolean;
  text: string;
}

export interface CapturedRequest {
  /** In o200k tokens. */
  tokens: number;
  read: number;
  written: number;
  blocks: CapturedBlock[];
}

export interface CapturedCase {
  id: string;
  title: string;
  budget: number;
  /** Sections of the receipt with their tokens. */
  sections: { name: string; tokens: number }[];
  requests: CapturedRequest[];
}

type Keyed = Awaited<ReturnType<typeof startKeyedApp>>;

const WAIT_MS = 30_000;
const SHOWN = 700;

/** Asks again until `read` gives something; summaries are made behind the turns. */
async function until(read: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !(await read()); ) {
    if (Date.now() > end) throw new Error('the summaries did not come');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends a message, and waits until all that follows from it is done: the next request depends on it. */
async function say(app: Keyed, message: string) {
  const turn = (await app.say(message)).body;
  if (turn.status !== 'completed') throw new Error(`the turn ended ${turn.status}: ${JSON.stringify(turn)}`);
  await app.forge.settle();
  return turn;
}

/**
 * Plays the conversation of the cases against servers that speak the providers' wire formats, and keeps what was sent to
 * the large model.
 */
export async function capturePrompts(): Promise<CapturedCase[]> {
  let current: Pick<PromptCase, 'route' | 'rounds'> = { route: {}, rounds: [] };
  let round = 0;
  const app = await startKeyedApp(
    () => current.rounds[round++] ?? { text: 'Go on.' },
    () => ({ json: { ...ROUTE, triggered_patterns: [], ...current.route } }),
  );
  const play = (next: typeof current, message: string) => {
    [current, round] = [next, 0];
    return say(app, message);
  };
  try {
    await app.forge.upload('p', DOCUMENTS);
    await until(async () => {
      const { body } = await app.forge.call('GET', '/projects/p/state');
      const files: { summary: string }[] = body.file_summaries;
      return files.length === 2 && files.every(({ summary }) => summary !== '');
    });
    const cache = createPromptCache(countTokens, (model) => claudeModel(model)?.cacheMinimum ?? 0);
    const captured: CapturedCase[] = [];
    for (const one of CASES) {
      if (one.id === 'long') for (const text of BEFORE_LONG) await play({ route: {}, rounds: [] }, text);
      const before = app.anthropic.requests.length;
      const turn = await play(one, one.message);
      const sent = app.anthropic.requests.slice(before).filter(isAnswering);
      const { id, title } = one;
      const { budget, sections } = turn.context;
      captured.push({ id, title, budget, sections, requests: sent.map((body) => requestOf(body, cache)) });
    }
    return captured;
  } finally {
    await app.close();
  }
}

function requestOf(body: AnthropicRequestBody, cache: ReturnType<typeof createPromptCache>): CapturedRequest {
  const { input, read, written } = cache.use(body);
  return {
    tokens: input,
    read,
    written,
    blocks: blocksOf(body).map(({ place, text, marked }) => ({
      place,
      tokens: countTokens(text),
      marked,
      text: shortened(text),
    })),
  };
}

/** Beginning and end of a text. */
function shortened(text: string): string {
  if (text.length <= SHOWN) return text;
  const half = SHOWN / 2;
  return `${text.slice(0, half)}\n[… ${text.length - SHOWN} characters …]\n${text.slice(-half)}`;
}
