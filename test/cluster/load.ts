import { setTimeout as delay } from 'node:timers/promises';

/** How a request was answered. */
export interface Answer {
  project: string;
  what: 'search' | 'upload';
  status: number;
  isProblem: boolean;
  /** In seconds; 0: it said nothing of it. */
  retryAfter: number;
  /** Until the answer was there. */
  ms: number;
}

const JSON_BODY = { 'content-type': 'application/json' };
/** Between two requests of a project. */
const PAUSE_MS = 100;
/** Every so many of them is an upload. */
const UPLOADS = 5;
const SETTLED_WITHIN_MS = 120_000;

/** Makes projects, and searches them and uploads to them, each one request after the other, until it is stopped. */
export async function startLoad(service: string, projects: readonly string[]) {
  const send = (path: string, init?: RequestInit): Promise<Response> => fetch(service + path, init);
  let answers: Answer[] = [];
  const acknowledged = new Map<string, string[]>(projects.map((id) => [id, []]));
  let isStopped = false;

  async function upload(project: string, name: string): Promise<Response> {
    const body = new FormData();
    body.append(
      'file',
      new Blob([`# ${name}\n\nThe harbour of ${name} is deep, and its ships are many.\n`]),
      name,
    );
    const response = await send(`/projects/${project}/files`, { method: 'POST', body });
    if (response.ok) acknowledged.get(project)?.push(name);
    return response;
  }
  const search = (project: string): Promise<Response> =>
    send(`/projects/${project}/search`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ query: 'harbour ships' }),
    });

  async function keepAsking(project: string): Promise<void> {
    for (let number = 1; !isStopped; number += 1) {
      const what = number % UPLOADS === 0 ? 'upload' : 'search';
      const begin = performance.now();
      const asked = what === 'upload' ? upload(project, `${project}-${number}.md`) : search(project);
      const response = await asked.catch(() => undefined);
      // the service has gone
      if (!response) return;
      const { status, headers } = response;
      await response.arrayBuffer();
      const isProblem = headers.get('content-type')?.includes('problem+json') === true;
      const retryAfter = Number(headers.get('retry-after') ?? 0);
      answers.push({ project, what, status, isProblem, retryAfter, ms: performance.now() - begin });
      await delay(PAUSE_MS);
    }
  }

  for (const id of projects) {
    const made = await send('/projects', {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ id, name: id }),
    });
    if (!made.ok) throw new Error(`project ${id}: ${made.status} ${await made.text()}`);
    await upload(id, `${id}-0.md`);
  }
  const asking = Promise.all(projects.map(keepAsking));

  /** Of the uploads of a project those that are not searchable. */
  async function missing(project: string): Promise<string[]> {
    const names = acknowledged.get(project) ?? [];
    const states = await Promise.all(
      names.map(async (name) => {
        const response = await send(`/projects/${project}/files/${name}`);
        const file = (await response.json()) as { status?: string };
        return file.status === 'completed' ? [] : [name];
      }),
    );
    return states.flat();
  }

  return {
    /** The answers since it was asked last. */
    take(): Answer[] {
      const taken = answers;
      answers = [];
      return taken;
    },
    acknowledged: (): number => [...acknowledged.values()].flat().length,
    /** Ends it, and waits until all that was acknowledged is searchable; gives the names of what is not in the end. */
    async stop(): Promise<string[]> {
      isStopped = true;
      await asking;
      const end = performance.now() + SETTLED_WITHIN_MS;
      for (;;) {
        const lost = (await Promise.all(projects.map(missing))).flat();
        if (lost.length === 0 || performance.now() > end) return lost;
        await delay(1_000);
      }
    },
  };
}
