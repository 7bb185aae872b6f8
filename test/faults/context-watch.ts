import { setTimeout as delay } from 'node:timers/promises';
import { call } from './client.ts';
import type { Service } from './service.ts';

/** How a file is shown, as far as contexts go. */
export interface ShownFile {
  status: string;
  version: number;
  searchable_version: number | null;
  chunk_count: number;
  vectors_pending: number;
  contexts: { state: string; leaves: number; last_error: { code: string } | null };
}

/** A file of a project, and how many leaves it has. */
export interface Watched {
  project: string;
  name: string;
  leaves: number;
}

/** The most that a search gives. */
const MOST_HITS = 50;
const PAUSE_MS = 40;

export const pathOf = ({ project, name }: Watched): string => `/projects/${project}/files/${name}`;

export const isSettled = ({
  status,
  version,
  searchable_version: searchable,
  contexts,
}: ShownFile): boolean =>
  (status === 'completed' && searchable === version && contexts.state !== 'pending') || status === 'failed';

/** The texts that a search finds, the best first. */
export async function find(service: Service, { project }: Watched, query: string, mode: string) {
  const body = { query, mode, min_score: 0, limit: MOST_HITS };
  const answer = await call(service, 'POST', `/projects/${project}/search`, body);
  if (answer.status !== 200) throw new Error(`a search was answered with ${answer.status}`);
  return answer.body.data.map(({ text }: { text: string }) => text) as string[];
}

/** The leaves that are found by the word that stands in contexts alone: none of them, or as many as a search gives. */
export async function findByContext(service: Service, watched: Watched): Promise<number> {
  const texts = await find(service, watched, 'archipelago', 'lexical');
  return texts.length;
}

export const allFound = ({ leaves }: Watched): number => Math.min(leaves, MOST_HITS);

/** The first thing that is half visible of a file now; empty: nothing is. */
async function lookOnce(service: Service, watched: Watched): Promise<string> {
  const answer = await call(service, 'GET', pathOf(watched));
  if (answer.status === 404) return '';
  const file: ShownFile = answer.body;
  if (file.status !== 'completed') return '';
  if (file.chunk_count !== watched.leaves) return `lost: ${file.chunk_count} leaves are shown`;
  const { state, leaves } = file.contexts;
  if (leaves > watched.leaves) return `doubled: ${leaves} contexts are shown`;
  if (state === 'ready' && leaves !== watched.leaves) return `lost: it is ready with ${leaves} contexts`;
  const found = await findByContext(service, watched);
  if (found !== 0 && found !== allFound(watched)) return `half visible: ${found} leaves by their contexts`;
  const [best] = await find(service, watched, 'ferry of quay 7', 'hybrid');
  return best?.includes('The ferry of quay 7 sails') ? '' : 'lost: a leaf is not found by its own words';
}

/**
 * Looks at a file again and again until it is told to stop, or the service is gone.
 *
 * @returns what is half visible, the first of it; empty: nothing was
 */
export function watch(service: Service, watched: Watched) {
  let goesOn = true;
  const seen = (async (): Promise<string> => {
    while (goesOn) {
      // cut off by the kill, as it should be
      const problem = await lookOnce(service, watched).catch(() => '');
      if (problem !== '') return problem;
      await delay(PAUSE_MS);
    }
    return '';
  })();
  return {
    stop(): Promise<string> {
      goesOn = false;
      return seen;
    },
  };
}

/** The sections of which a context is kept, by their leaves. */
export async function keptContexts(service: Service, watched: Watched): Promise<Map<string, string | null>> {
  const kept = new Map<string, string | null>();
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await call(service, 'GET', `${pathOf(watched)}/leaves?limit=100${query}`);
    if (status !== 200) return kept;
    for (const { text, context } of body.data) kept.set(/# (Quay \d+)/.exec(text)?.[1] ?? text, context);
    after = body.has_more ? body.last_id : null;
  } while (after !== null);
  return kept;
}
