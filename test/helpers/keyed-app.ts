import { type FakeAnthropic, type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';
import { startTestApp } from './app.ts';

type Request = FakeAnthropic['requests'][number];

export const ROUTE = {
  next_probe: 'stakeholder-mapping',
  triggered_patterns: ['hidden-stakeholder-conflict'],
  active_mode: 'discovery',
  action: 'probe',
  requires_retrieval: true,
  relevant_files: [] as string[],
  reason: 'Several people are named.',
};

/** What calls to the large model are told apart by: they alone have tools. */
export const isAnswering = (request: Request): boolean => request.tools !== undefined;

/**
 * A service with both keys: the real SDKs against servers that speak the providers' wire format.
 *
 * @param answer to the large model's calls, numbered from 0
 * @param route the router's reply, or what it says to a request
 */
export async function startKeyedApp(
  answer: (request: Request, index: number) => Scripted,
  route: object | ((request: Request) => Scripted) = ROUTE,
  extra: Record<string, string> = {},
) {
  let answers = 0;
  const anthropic = await startFakeAnthropic({
    reply: (request) => {
      if (request.output_config?.format !== undefined)
        return typeof route === 'function' ? route(request) : { json: route };
      if (!isAnswering(request)) return { text: 'Notes on who decides and what the budget is.' };
      return answer(request, answers++);
    },
  });
  const voyage = await startFakeVoyage();
  const settings = {
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: anthropic.url,
    VOYAGE_API_KEY: 'test-key',
    VOYAGE_BASE_URL: voyage.url,
    ...extra,
  };
  const forge = await startTestApp({ settings, ownEmbeddings: true });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  return {
    forge,
    anthropic,
    voyage,
    say: (message: string, options: object = {}) =>
      forge.call('POST', '/projects/p/turns', { message, ...options }),
    async close() {
      await forge.close();
      await voyage.close();
      await anthropic.close();
    },
  };
}
