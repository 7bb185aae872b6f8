import { afterEach } from 'vitest';
import { type FakeAnthropic, type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from './app.ts';
import { CUT, isAsking, placed } from './context-requests.ts';

type Request = FakeAnthropic['requests'][number];

/**
 * A service whose language model is a server here.
 *
 * @param reply to requests for contexts, numbered from 0; other requests are answered with some words
 */
export async function startContextApp(
  reply: (request: Request, index: number) => Scripted | Promise<Scripted> = placed,
  { settings = {}, db }: { settings?: Record<string, string>; db?: TestApp['db'] } = {},
) {
  const asked: Request[] = [];
  const anthropic = await startFakeAnthropic({
    reply: (request) => {
      if (!isAsking(request)) return { text: 'Ferries and quays.' };
      asked.push(request);
      return reply(request, asked.length - 1);
    },
  });
  const embeddings = fakeEmbeddingModel();
  const hasVectors = settings.EMBEDDING_PROVIDER !== 'off';
  const forge = await startTestApp({
    ownEmbeddings: !hasVectors,
    settings: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: anthropic.url,
      CONTEXTUAL: 'on',
      ...settings,
    },
    overrides: { ...(hasVectors && { embeddingModel: embeddings }), ...(db && { db }) },
  });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const file = async (name: string) => (await forge.call('GET', `/projects/p/files/${name}`)).body;
  return {
    forge,
    /** The requests for contexts, in their order. */
    asked,
    embeddings,
    file,
    /** Uploads a document, and waits until all that follows from it is done. */
    async put(name: string, text: string, query = '') {
      const answer = await forge.upload('p', { [name]: text }, {}, `?${CUT}${query}`);
      await forge.settle();
      return answer;
    },
    contexts: async (name: string) => (await file(name)).contexts,
    leaves: async (name: string) =>
      (await forge.call('GET', `/projects/p/files/${name}/leaves?limit=100`)).body.data as {
        text: string;
        context: string | null;
      }[],
    words: async (query: string) =>
      (await forge.call('POST', '/projects/p/search', { query, mode: 'lexical', min_score: 0 })).body
        .data as { text: string }[],
    apply: async (body: object = {}) => forge.call('POST', '/projects/p/files:contexts', body),
    usage: async (phase: string) =>
      (await forge.call('GET', '/projects/p/usage')).body.by_phase.find(
        (entry: { phase: string }) => entry.phase === phase,
      ),
    /** How many vectors are of leaves with their contexts, and how many are not. */
    async vectors() {
      const { rows } = await forge.db.query<{ with: number; without: number }>(
        `select count(*) filter (where with_context)::int as with, count(*) filter (where not with_context)::int as without
         from leaf_vectors where project_id = 'p'`,
      );
      return rows[0];
    },
    async close() {
      await forge.close();
      await anthropic.close();
    },
  };
}

/** Starts services with such a model, which end with the test that has started them. */
export function contextBenches() {
  const open: Awaited<ReturnType<typeof startContextApp>>[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bench) => bench.close()));
  });
  return async (...given: Parameters<typeof startContextApp>) => {
    const bench = await startContextApp(...given);
    open.push(bench);
    return bench;
  };
}
