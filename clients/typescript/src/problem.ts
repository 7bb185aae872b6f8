import type { Schema } from './types.ts';

/** A problem document, whose members depend on its code. */
export type Problem = Schema<'Problem'>;

/** The type of what came instead of a problem document. */
const NO_PROBLEM = 'about:blank';

/** What the service refuses, or fails at, as it says it. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }

  /** The stable name of the kind of problem. */
  get code(): Problem['code'] {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }

  /** It is no answer of Forge's: something else is at the address, or in between. */
  get isForeign(): boolean {
    return this.problem.type === NO_PROBLEM;
  }
}

/** The service cannot be reached, or the line to it broke; `cause` is what the platform says of it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The problem of an answer; one that is no problem document, as of a proxy, is told in its terms. */
export async function problemOf(response: Response): Promise<ForgeError> {
  const text = await response.text().catch(() => '');
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string' && typeof problem.detail === 'string')
      return new ForgeError(problem);
  } catch {
    // told below
  }
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ForgeError({
    type: NO_PROBLEM,
    title: response.statusText,
    status: response.status,
    detail: `${response.url} answered ${response.status}, and not as Forge does.`,
    instance: response.url,
    code: 'internal_error',
    request_id: response.headers.get('x-request-id') ?? '',
    retryable: [502, 503, 504].includes(response.status),
    ...(Number.isFinite(after) && { retry_after_s: after }),
  });
}
