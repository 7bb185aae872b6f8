import type { components, paths } from './contract.ts';

/** A schema of the contract by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The paths that know a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

type Json<T> = T extends { content: { 'application/json': infer Value } } ? Value : never;

/** What an operation answers as JSON; never: it answers nothing, or something else. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? { [Status in keyof Responses]: Json<Responses[Status]> }[keyof Responses]
    : never;

type Parameters<M extends Method, P extends PathOf<M>, In extends 'path' | 'query'> =
  Operation<M, P> extends { parameters: { [K in In]?: infer Values } } ? Exclude<Values, undefined> : never;

type Content<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Body }
    ? NonNullable<Body> extends { content: infer Value }
      ? Value
      : never
    : never;

/** What is sent as it is, and not as JSON; the blob says by its type which of them it is. */
type Binary = 'application/zip' | 'application/octet-stream' | 'application/jsonl';

type Body<M extends Method, P extends PathOf<M>> =
  | (Content<M, P> extends { 'application/json': infer Value } ? Value : never)
  | (Extract<keyof Content<M, P>, Binary> extends never ? never : Blob);

type NoneOf<Name extends string> = { [K in Name]?: never };

/** What a call of an operation takes: what stands in its path, and in its query and body where it has them. */
export type CallOptions<M extends Method, P extends PathOf<M>> = CommonOptions &
  ([Parameters<M, P, 'path'>] extends [never] ? NoneOf<'path'> : { path: Parameters<M, P, 'path'> }) &
  ([Parameters<M, P, 'query'>] extends [never] ? NoneOf<'query'> : { query?: Parameters<M, P, 'query'> }) &
  ([Body<M, P>] extends [never] ? NoneOf<'body'> : { body?: Body<M, P> });

/** What any call takes. */
export interface CommonOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The paths of lists, which are read page by page. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<'get', P> extends { data: unknown[]; has_more: boolean } ? P : never;
}[PathOf<'get'>];

/** An item of such a list. */
export type Item<P extends ListPath> = Answer<'get', P> extends { data: (infer Value)[] } ? Value : never;
