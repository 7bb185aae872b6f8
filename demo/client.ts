import { setTimeout as sleep } from 'node:timers/promises';
import type { FileAnswer, KnowledgeAnswer, Passage, Receipt, TurnAnswer } from './wire.ts';

const POLL_MS = 500;
const EVENTS = { accept: 'text/event-stream' };

/** The calls that the demo makes, over HTTP like any front end's. */
export function createClient(baseUrl: string) {
  async function call(method: string, path: string, body?: unknown, headers = {}): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
  const json = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await (await call(method, path, body)).json()) as T;
  const fileUrl = (project: string, name: string) => `/projects/${project}/files/${encodeURIComponent(name)}`;

  return {
    createProject: (name: string) => json<{ id: string }>('POST', '/projects', { name }),
    /** Uploads a file and waits until it is completed or failed. */
    async upload(project: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileAnswer> {
      const form = new FormData();
      form.append('file', new Blob([bytes]), name);
      let file = await json<FileAnswer>('POST', `/projects/${project}/files`, form);
      while (file.status === 'queued' || file.status === 'in_progress') {
        await sleep(POLL_MS);
        file = await json('GET', fileUrl(project, name));
      }
      return file;
    },
    content: async (project: string, name: string): Promise<Buffer> =>
      Buffer.from(await (await call('GET', `${fileUrl(project, name)}/content`)).arrayBuffer()),
    markdown: async (project: string, name: string, version?: number): Promise<string> => {
      const query = version === undefined ? '' : `?version=${version}`;
      return (await call('GET', `${fileUrl(project, name)}/markdown${query}`)).text();
    },
    async search(project: string, query: string, kinds: ('documents' | 'turns')[]): Promise<Passage[]> {
      const answer = await json<{ data: Passage[] }>('POST', `/projects/${project}/search`, {
        query,
        kinds,
        limit: 50,
      });
      return answer.data;
    },
    say: (project: string, message: string) =>
      json<TurnAnswer>('POST', `/projects/${project}/turns`, { message }),
    /** The same as server-sent events, to be read with `readEvents`. */
    stream: (project: string, message: string) =>
      call('POST', `/projects/${project}/turns`, { message }, EVENTS),
    /** The events of a turn after the one that was seen last. */
    follow: (project: string, turn: number, lastEventId: number) =>
      call('GET', `/projects/${project}/turns/${turn}/events`, undefined, {
        ...EVENTS,
        'last-event-id': String(lastEventId),
      }),
    /** A question to the research agent as server-sent events. */
    research: (project: string, question: string, files: string[] = []) =>
      call('POST', `/projects/${project}/research`, { question, files }, EVENTS),
    cancel: (project: string, turn: number) =>
      json<TurnAnswer>('POST', `/projects/${project}/turns/${turn}/cancel`),
    turn: (project: string, turn: number) => json<TurnAnswer>('GET', `/projects/${project}/turns/${turn}`),
    receipt: (project: string, turn: number) =>
      json<Receipt>('GET', `/projects/${project}/turns/${turn}/context`),
    /** The problem brief as it is filled by now, in Markdown. */
    brief: async (project: string): Promise<string> =>
      (await call('GET', `/projects/${project}/artifacts/problem_brief`)).text(),
    knowledge: () => json<KnowledgeAnswer>('GET', '/knowledge'),
  };
}

export type Client = ReturnType<typeof createClient>;
