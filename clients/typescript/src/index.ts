import { followers } from './followers.ts';
import { placeOf } from './place.ts';
import { isRepeatable } from './repeatable.ts';
import { createSender, type ForgeOptions } from './send.ts';
import type { Answer, CallOptions, CommonOptions, Item, ListPath, Method, PathOf, Schema } from './types.ts';
import { type Uploaded, type UploadFile, type UploadOptions, uploadFiles } from './upload.ts';

export type { Message, Question } from './followers.ts';
export { ConnectionError, ForgeError, type Problem } from './problem.ts';
export type { ForgeOptions } from './send.ts';
export type { StreamOptions } from './streams.ts';
export type { Answer, Item, Schema } from './types.ts';
export type { UploadFile, UploadOptions } from './upload.ts';

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
    const type = body instanceof Blob ? body.type : 'application/json';
    return sender.send({
      method: method.toUpperCase(),
      path: addressOf(template as string, rest),
      headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
      ...(body !== undefined && { body: () => (body instanceof Blob ? body : JSON.stringify(body)) }),
      isRepeatable: isRepeatable(method, template as string),
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

    /** Whether the service can do its work: one that cannot says why. Needs no key. */
    async readiness(): Promise<Schema<'Readiness'>> {
      const request = { method: 'GET', path: '/readyz', isRepeatable: true, expects: 503 };
      return (await (await sender.send(request)).json()) as Schema<'Readiness'>;
    },

    /**
     * Uploads files, in one request.
     *
     * @param project null: into the library
     */
    upload: <const Files extends readonly UploadFile[]>(
      project: string | null,
      files: Files,
      upload: UploadOptions = {},
    ): Promise<Uploaded<Files>> => uploadFiles(sender, `${placeOf(project)}/files`, files, upload),

    ...followers(sender),
  };
}

export type Forge = ReturnType<typeof createForge>;
