import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problemSchema } from '../../contract/problem.ts';
import { AppError, DatabaseError, ERROR_CODES, type ErrorCode, problemOfDatabase } from '../../errors.ts';

/** The HTTP status of each code: with `ERROR_CODES` the one table of failures that the contract publishes. */
export const STATUS_OF = {
  authentication_required: 401,
  key_not_valid: 401,
  scope_required: 403,
  too_many_failed_keys: 429,
  rate_limited: 429,
  concurrency_limit: 429,
  quota_exceeded: 403,
  invalid_request: 400,
  invalid_json: 400,
  unsupported_request_type: 415,
  no_file_part: 400,
  empty_file: 422,
  invalid_file_name: 422,
  unsupported_media_type: 415,
  file_too_large: 413,
  body_too_large: 413,
  too_many_files: 422,
  file_exists: 409,
  limits_too_low: 422,
  price_unknown: 422,
  message_too_large: 422,
  state_too_large: 422,
  unknown_field_value: 422,
  dependency_cycle: 422,
  invalid_cursor: 400,
  host_not_allowed: 421,
  origin_not_allowed: 403,
  expectation_failed: 417,
  headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
  route_not_found: 404,
  project_not_found: 404,
  key_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  webhook_disabled: 409,
  workspace_not_found: 404,
  file_not_found: 404,
  turn_not_found: 404,
  pointer_not_found: 404,
  tool_not_found: 404,
  run_not_found: 404,
  knowledge_not_found: 404,
  content_not_available: 404,
  workspace_exists: 409,
  workspace_not_deletable: 409,
  last_key: 409,
  project_exists: 409,
  turn_in_progress: 409,
  file_not_retryable: 409,
  file_not_cancellable: 409,
  archive_invalid: 422,
  archive_too_new: 422,
  archive_too_large: 413,
  range_not_satisfiable: 416,
  turn_not_retryable: 409,
  run_not_retryable: 409,
  contexts_unavailable: 409,
  embeddings_off: 409,
  precondition_failed: 412,
  model_rejected: 502,
  model_unavailable: 503,
  provider_misconfigured: 503,
  embedding_unavailable: 503,
  interrupted: 503,
  invalid_idempotency_key: 400,
  idempotency_key_reused: 422,
  idempotency_in_progress: 409,
  too_many_streams: 503,
  overloaded: 503,
  identity_provider_unavailable: 503,
  service_unavailable: 503,
  database_unavailable: 503,
  storage_full: 507,
  encryption_key_missing: 503,
  internal_error: 500,
} as const satisfies Record<ErrorCode, number>;

/** Errors that Fastify and its plugins raise by themselves, in the contract's terms. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_request_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_request_type',
  FST_REQ_FILE_TOO_LARGE: 'file_too_large',
  FST_FILES_LIMIT: 'too_many_files',
  FST_PARTS_LIMIT: 'too_many_files',
  FST_FIELDS_LIMIT: 'invalid_request',
  FST_ERR_ROUTE_INVALID_URL: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
};

/** Any thrown value in the terms of the closed table; whatever it does not know is an internal error. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseError) return problemOfDatabase(error);
  const { code, statusCode, message } = error as Partial<FastifyError>;
  // Node's own of a body that the client did not send to its end: nobody is left to be answered, and nothing has failed
  if (code === 'ECONNRESET' && message === 'aborted') {
    return new AppError('invalid_request', {
      detail: 'The connection was closed before the end of the request.',
    });
  }
  const known = code === undefined ? undefined : FRAMEWORK_CODES[code];
  if (known !== undefined) return new AppError(known, { cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_request', { cause: error });
  }
  return new AppError('internal_error', {
    detail: 'Something went wrong on our side. Try again; if it stays, report the request_id.',
    cause: error,
  });
}

/** The problem document of an error for this request. */
export function problemDocument(error: AppError, request: Pick<FastifyRequest, 'id' | 'url'>): Problem {
  const { title, retryable } = ERROR_CODES[error.code];
  return {
    type: `/problems/${error.code}`,
    title,
    status: STATUS_OF[error.code],
    detail: error.detail,
    instance: request.url.split('?')[0] ?? request.url,
    code: error.code,
    request_id: request.id,
    retryable,
    ...(error.retryAfterSeconds !== undefined && { retry_after_s: error.retryAfterSeconds }),
    ...(error.errors && { errors: error.errors }),
    ...error.extra,
  };
}

/** The codes of the problems that were answered with, for who counts them. */
const answered = new WeakMap<object, ErrorCode>();

/** The code of the problem that a request was answered with. */
export const problemOf = (reply: FastifyReply): ErrorCode | undefined => answered.get(reply.raw);

/** Answers a request with a problem; what failed is logged with its cause, and never shows it. */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown);
  const status = STATUS_OF[error.code];
  answered.set(reply.raw, error.code);
  const { code, cause, detail } = error;
  if (status < 500) request.log.info({ code, detail }, 'request refused');
  // nothing has failed: there is too much to do, or the service stops; then there are many of these
  else if (status === 503 && cause === undefined) request.log.warn({ code, detail }, 'request refused');
  else request.log.error({ err: cause ?? error, code }, detail);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds));
  return reply
    .status(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemDocument(error, request));
}

/** What each operation can be refused with besides its own, and what it can fail with: those that read keep accounts too. */
const EVERY_OPERATION = [
  'invalid_request',
  'origin_not_allowed',
  'host_not_allowed',
  'request_timeout',
  'headers_too_large',
] as const;
/** What an operation with a JSON body can refuse besides one that is none. */
const EVERY_JSON_BODY = ['unsupported_request_type', 'body_too_large'] as const;
const EVERY_FAILURE = ['database_unavailable', 'storage_full', 'internal_error'] as const;

/** The error responses for some codes, by status, for the schema of an operation. */
export function problemsOf(codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}`).join('. '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}

/** The codes that the description of an error response names, as `problemsOf` writes it. */
export const codesIn = (description: string): ErrorCode[] =>
  [...description.matchAll(/`(\w+)`: /g)].flatMap(([, code]) =>
    code !== undefined && Object.hasOwn(ERROR_CODES, code) ? [code as ErrorCode] : [],
  );

/** What an operation can be refused with that asks for nothing and does nothing, for its schema. */
export const plainRefusals = () => problemsOf(EVERY_OPERATION);

/**
 * The error responses of an operation, for its schema.
 *
 * @param names the codes it can answer with; those of `EVERY_OPERATION` and `EVERY_FAILURE` come with each
 */
export const problemResponses = (...names: ErrorCode[]) =>
  problemsOf([
    ...new Set([
      ...EVERY_OPERATION,
      ...names,
      ...(names.includes('invalid_json') ? EVERY_JSON_BODY : []),
      ...EVERY_FAILURE,
    ]),
  ]);
