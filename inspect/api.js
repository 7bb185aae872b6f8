/** Calls of the service, all of them in openapi.json. The key is kept for this tab alone. */

const KEY = 'forge-key';

/** What the service refused, in its words. */
export class Refusal extends Error {
  /** @param {number} status @param {{ title?: string, detail?: string, code?: string }} problem */
  constructor(status, { title = '', detail = '', code = '' }) {
    super(detail || title || `The service answered ${status}.`);
    this.status = status;
    this.code = code;
  }
}

export const keyInUse = () => sessionStorage.getItem(KEY);

/** @param {string | null} key null: none */
export function useKey(key) {
  if (key === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}

/**
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal | undefined }} [rest]
 * @returns {Promise<Response>}
 * @throws Refusal
 */
export async function call(method, path, { body, headers = {}, signal } = {}) {
  const key = keyInUse();
  const response = await fetch(path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    credentials: 'omit',
  });
  if (response.ok) return response;
  throw new Refusal(response.status, await response.json().catch(() => ({})));
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = async (path, signal) => (await call('GET', path, { signal })).json();

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const post = async (path, body) =>
  (await call('POST', path, body === undefined ? {} : { body })).json();

/**
 * The entries of a list, page by page.
 *
 * @param {string} path
 * @param {{ most: number, signal?: AbortSignal, order?: 'asc' | 'desc' }} options `most`: where reading ends
 * @returns {Promise<{ data: any[], more: boolean }>} `more`: there are others, which were not read
 */
export async function list(path, { most, signal, order = 'asc' }) {
  /** @type {any[]} */
  const data = [];
  for (let after = ''; ; ) {
    const limit = Math.min(100, most - data.length);
    const page = await get(
      `${path}?limit=${limit}&order=${order}${after && `&after=${encodeURIComponent(after)}`}`,
      signal,
    );
    data.push(...page.data);
    if (!page.has_more || data.length >= most) return { data, more: page.has_more };
    after = page.last_id;
  }
}

const part = encodeURIComponent;

/** Addresses of the API. */
export const urls = {
  /** @param {string} id */
  project: (id) => `/projects/${part(id)}`,
  /** @param {string | null} id null: of the library @param {string} name */
  file: (id, name) => `${id === null ? '/library' : urls.project(id)}/files/${part(name)}`,
  /** @param {string} id @param {number} turn */
  turn: (id, turn) => `/projects/${part(id)}/turns/${turn}`,
  /** @param {string} id @param {string} run */
  run: (id, run) => `/projects/${part(id)}/research/${part(run)}`,
};

/** @typedef {{ turn?: number, run?: string, marker?: number, at?: number }} Show whose citations are shown, and where to go */

/** Addresses of these pages. */
export const pages = {
  projects: '#/',
  /** @param {string} id */
  project: (id) => `#/projects/${part(id)}`,
  /** @param {string} id @param {number} turn */
  turn: (id, turn) => `#/projects/${part(id)}/turns/${turn}`,
  /** @param {string} id @param {string} run */
  run: (id, run) => `#/projects/${part(id)}/research/${part(run)}`,
  /**
   * @param {string | null} id the project that it is looked at from
   * @param {{ filename: string, source: 'project' | 'library' }} file
   * @param {Show} [show]
   */
  file(id, { filename, source }, show = {}) {
    const isOwn = source === 'project';
    const asked = Object.entries({ ...(!isOwn && id !== null && { project: id }), ...show });
    const query = new URLSearchParams(asked.map(([key, value]) => [key, String(value)]));
    const place = isOwn ? pages.project(id ?? '') : '#/library';
    return `${place}/files/${part(filename)}${query.size > 0 ? `?${query}` : ''}`;
  },
};
