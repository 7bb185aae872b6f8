import { createSender, type ForgeOptions } from './send.ts';
import { followToTheEnd, type StreamOptions } from './streams.ts';
import type { Answer, CallOptions, CommonOptions, Item, ListPath, Method, PathOf, Schema } from './types.ts';
import { type UploadFile, type UploadOptions, uploadFiles } from './upload.ts';

export { ForgeError, type Problem } from './problem.ts';
export type { ForgeOptions } from './send.ts';
export type { StreamOptions } from './streams.ts';
export type { Answer, Item, Schema } from './types.ts';
export type { UploadFile, UploadOptions } from './upload.ts';

/** What is said in a turn. */
export type Message = NonNullable<CallOptions<'post', '/projects/{project_id}/turns'>['body']>;
/** What the research agent is asked. */
export type Question = NonNullable<CallOptions<'post', '/projects/{project_id}/research'>['body']>;

type Loose = CommonOptions & {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
};

function addressOf(template: string, { path = {}, query = {} }: Loose): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** A client of a Forge service. It holds no connection: make one wherever you need it. */
export function createForge(options: ForgeOptions) {
  const sender = createSender(options);

  /** The answer of an operation as it comes, for what is no JSON. */
  function send<M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    call: CallOptions<M, P>,
  ): Promise<Response> {
    const { headers, signal, body, ...rest } = call as Loose;
    return sender.send({
      method: method.toUpperCase(),
      path: addressOf(template as string, rest),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: () => JSON.stringify(body) }),
      signal,
    });
  }

  /** What an operation answers. @throws ForgeError */
  async function call<M extends Method, P extends PathOf<M>>(
    method: M,
    template: P,
    request: CallOptions<M, P>,
  ): Promise<Answer<M, P>> {
    const response = await send(method, template, request);
    return (response.status === 204 ? null : await response.json()) as Answer<M, P>;
  }

  const place = (project: string): string => `/projects/${encodeURIComponent(project)}`;

  return {
    send,
    call,

    /** All items of a list, page after page, as they are asked for. */
    async *list<P extends ListPath>(template: P, request: CallOptions<'get', P>): AsyncGenerator<Item<P>> {
      let after: string | undefined;
      for (;;) {
        const { query, ...rest } = request as Loose;
        const page = (await call('get', template, {
          ...rest,
          query: { limit: 100, ...query, ...(after !== undefined && { after }) },
        } as unknown as CallOptions<'get', P>)) as { data: Item<P>[]; has_more: boolean; last_id: string };
        yield* page.data;
        if (!page.has_more) return;
        after = page.last_id;
      }
    },

    /**
     * Uploads files, in one request.
     *
     * @param project null: into the library
     */
    upload: (project: string | null, files: readonly UploadFile[], upload: UploadOptions = {}) =>
      uploadFiles(sender, `${project === null ? '/library' : place(project)}/files`, files, upload),

    /** Says something, and gives the turn's events to its last one, whatever breaks in between. */
    turn: (project: string, message: Message, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: { path: `${place(project)}/turns`, body: message }, events: null },
        stream,
      ) as AsyncGenerator<Schema<'TurnEvent'>>,

    /** The events of a turn that was begun before, those there are and those that come. */
    followTurn: (project: string, turn: number, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: null, events: `${place(project)}/turns/${turn}/events` },
        stream,
      ) as AsyncGenerator<Schema<'TurnEvent'>>,

    /** Asks the research agent, and gives the run's events to its last one. */
    research: (project: string, question: Question, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: { path: `${place(project)}/research`, body: question }, events: null },
        stream,
      ) as AsyncGenerator<Schema<'ResearchEvent'>>,

    /** The events of a run that was begun before. */
    followResearch: (project: string, run: string, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: null, events: `${place(project)}/research/${encodeURIComponent(run)}/events` },
        stream,
      ) as AsyncGenerator<Schema<'ResearchEvent'>>,
  };
}

export type Forge = ReturnType<typeof createForge>;
