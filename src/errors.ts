import { type AccessScope, nameOf, pathOf, type Scope } from './scope.ts';

/**
 * The closed table of everything that can go wrong for a caller. A code is part of the public contract: it never
 * changes its meaning and is never reused. The table knows nothing of HTTP; `routes/plumbing/problems.ts` gives each
 * code its status.
 */
export const ERROR_CODES = {
  authentication_required: { title: 'The service asks for an API key', retryable: false },
  key_not_valid: { title: 'The API key is not valid', retryable: false },
  scope_required: { title: 'The API key does not allow this', retryable: false },
  too_many_failed_keys: { title: 'Too many keys from this address were not valid', retryable: true },
  identity_provider_unavailable: { title: 'The identity provider cannot be reached', retryable: true },
  rate_limited: { title: 'The API key has sent as many requests as it may', retryable: true },
  concurrency_limit: { title: 'As much is under way in the workspace as may be at a time', retryable: true },
  quota_exceeded: { title: 'The workspace has as much as it may', retryable: false },
  invalid_request: { title: 'The request is not valid', retryable: false },
  invalid_json: { title: 'The body is not valid JSON', retryable: false },
  unsupported_request_type: {
    title: 'The request body has a type this operation does not read',
    retryable: false,
  },
  no_file_part: { title: 'The upload holds no file', retryable: false },
  empty_file: { title: 'The file is empty', retryable: false },
  invalid_file_name: { title: 'The file name cannot be used', retryable: false },
  unsupported_media_type: { title: 'This kind of file is not accepted', retryable: false },
  file_too_large: { title: 'The file is too large', retryable: false },
  body_too_large: { title: 'The request body is too large', retryable: false },
  too_many_files: { title: 'The project holds as many files as it may', retryable: false },
  file_exists: { title: 'A file of this name exists', retryable: false },
  limits_too_low: { title: 'The turn does not fit the limits that were set for it', retryable: false },
  price_unknown: { title: 'The cost of a turn cannot be limited: a price is not known', retryable: false },
  message_too_large: { title: 'The message does not fit the budget', retryable: false },
  state_too_large: { title: "The project's state does not fit the language model", retryable: false },
  unknown_field_value: { title: 'A field names something that does not exist', retryable: false },
  dependency_cycle: { title: 'The assumptions would depend on each other in a circle', retryable: false },
  invalid_cursor: { title: 'The page cursor is not valid', retryable: false },
  host_not_allowed: { title: 'The service does not answer to this host', retryable: false },
  origin_not_allowed: { title: 'Web pages of this origin may not call the service', retryable: false },
  expectation_failed: { title: 'The expectation cannot be met', retryable: false },
  headers_too_large: { title: 'The headers of the request are too large', retryable: false },
  request_timeout: { title: 'The request did not come in time', retryable: true },
  method_not_allowed: { title: 'There is no such method at this address', retryable: false },
  route_not_found: { title: 'There is nothing at this address', retryable: false },
  project_not_found: { title: 'There is no such project', retryable: false },
  key_not_found: { title: 'There is no such API key', retryable: false },
  workspace_not_found: { title: 'There is no such workspace', retryable: false },
  file_not_found: { title: 'There is no such file', retryable: false },
  turn_not_found: { title: 'There is no such turn', retryable: false },
  pointer_not_found: { title: 'There is no such pointer', retryable: false },
  tool_not_found: { title: 'There is no such tool', retryable: false },
  run_not_found: { title: 'There is no such research run', retryable: false },
  knowledge_not_found: { title: 'There is no such knowledge entry', retryable: false },
  webhook_not_found: { title: 'There is no such webhook', retryable: false },
  delivery_not_found: { title: 'There is no such delivery', retryable: false },
  webhook_disabled: { title: 'The webhook is disabled', retryable: false },
  content_not_available: { title: 'This form of the file is not available', retryable: false },
  workspace_exists: { title: 'A workspace of this id exists', retryable: false },
  workspace_not_deletable: { title: 'The default workspace stays', retryable: false },
  last_key: { title: 'No key would be left that can make others', retryable: false },
  project_exists: { title: 'A project of this id exists', retryable: false },
  turn_in_progress: { title: 'Another turn of this project is running', retryable: true },
  file_not_retryable: { title: 'Only a failed file can be retried', retryable: false },
  file_not_cancellable: { title: 'Only an ingestion that is under way can be cancelled', retryable: false },
  archive_invalid: { title: 'The archive cannot be imported', retryable: false },
  archive_too_new: { title: 'The archive was made by a later version', retryable: false },
  archive_too_large: { title: 'The archive is too large', retryable: false },
  range_not_satisfiable: { title: 'The file has no bytes in this range', retryable: false },
  turn_not_retryable: { title: 'Only a failed or expired turn can be retried', retryable: false },
  run_not_retryable: { title: 'Only a failed or expired research run can be retried', retryable: false },
  precondition_failed: { title: 'The resource has changed since it was read', retryable: false },
  model_rejected: { title: 'The language model refused the request', retryable: false },
  model_unavailable: { title: 'The language model cannot be reached', retryable: true },
  provider_misconfigured: {
    title: 'The service is not set up for its provider: its key, its model or what is replayed',
    retryable: true,
  },
  embedding_unavailable: { title: 'The embedding provider cannot be reached', retryable: true },
  contexts_unavailable: { title: 'The service has no model that could write contexts', retryable: false },
  embeddings_off: { title: 'The service does without embeddings', retryable: false },
  interrupted: { title: 'The turn was interrupted before it was answered', retryable: true },
  invalid_idempotency_key: { title: 'The Idempotency-Key header is not valid', retryable: false },
  idempotency_key_reused: { title: 'The idempotency key was used for another request', retryable: false },
  idempotency_in_progress: {
    title: 'The first request with this idempotency key is still running',
    retryable: true,
  },
  too_many_streams: { title: 'The service holds as many event streams open as it may', retryable: true },
  overloaded: { title: 'The service has more to do than it can', retryable: true },
  service_unavailable: { title: 'The service is not ready', retryable: true },
  database_unavailable: { title: 'The database cannot be reached or does not answer', retryable: true },
  storage_full: { title: 'The database has no room left', retryable: false },
  encryption_key_missing: {
    title: 'The original is encrypted with a key that the service does not have',
    retryable: true,
  },
  internal_error: { title: 'Something went wrong on our side', retryable: true },
} as const satisfies Record<string, { title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One field that is wrong: a JSON pointer into the body (`/message`) or a parameter's name, and why. */
export interface FieldError {
  pointer: string;
  detail: string;
  code: string;
}

export interface AppErrorOptions {
  /** What happened and what to do, in words a caller may see. */
  detail?: string;
  /** The original failure: logged, never shown. */
  cause?: unknown;
  errors?: FieldError[];
  /** Seconds after which trying again makes sense. */
  retryAfterSeconds?: number;
  /** Further members of the problem document, such as the URL of the turn that is running. */
  extra?: Record<string, unknown>;
}

/** A failure that a caller is told about: a code from the closed table, and words for this occurrence. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly extra: Record<string, unknown>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(`${code}: ${options.detail ?? ERROR_CODES[code].title}`, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail ?? `${ERROR_CODES[code].title}.`;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra ?? {};
  }
}

/** Whether it says that what was being worked on was deleted meanwhile, itself or the project that it was in. */
export const isGone = (error: unknown): boolean => error instanceof AppError && GONE.has(error.code);
const GONE: ReadonlySet<ErrorCode> = new Set(['project_not_found', 'turn_not_found', 'run_not_found']);

/**
 * What is wrong with the database. `unavailable`: it cannot be reached, does not answer or takes nothing now; `full`: its
 * disk is; `unstorable`: it was given text that it cannot hold.
 */
export type DatabaseTrouble = 'unavailable' | 'full' | 'unstorable';

/**
 * The database is in trouble, whoever asked it. Not an `AppError`: that is an answer to a caller, while background work and
 * streams wait until the trouble has passed.
 */
export class DatabaseError extends Error {
  readonly trouble: DatabaseTrouble;
  /** SQLSTATE, or the system's own name of the failure. */
  readonly code: string | undefined;
  /** Nothing of what was asked for was done, and the same may go through in a moment. */
  readonly mayGoThrough: boolean;
  /** Of a job that it broke off: the job did nothing wrong, its attempt is not counted. */
  readonly isPostponed: boolean;

  constructor(trouble: DatabaseTrouble, cause: Error & { code?: unknown }, mayGoThrough: boolean) {
    // an AggregateError, of a name with several addresses, has no message of its own
    super(cause.message || String(cause.code ?? cause.name), { cause });
    this.name = 'DatabaseError';
    this.trouble = trouble;
    this.code = typeof cause.code === 'string' ? cause.code : undefined;
    this.mayGoThrough = mayGoThrough;
    this.isPostponed = trouble !== 'unstorable';
  }
}

/** When a caller may try again: a server that restarts, or another that takes its place, is back within seconds. */
const DATABASE_RETRY_SECONDS = 5;

/** The database's trouble as a caller is told of it. */
export function problemOfDatabase(error: DatabaseError): AppError {
  if (error.trouble === 'full') {
    return new AppError('storage_full', {
      detail: 'The database has no room left. What is stored is kept; more can be stored when room was made.',
      cause: error,
    });
  }
  if (error.trouble === 'unstorable') {
    return new AppError('invalid_request', {
      detail: 'The request holds characters that cannot be stored: U+0000, or half of a surrogate pair.',
      cause: error,
    });
  }
  return new AppError('database_unavailable', {
    detail: 'The database cannot be reached or does not answer. Send the request again in a moment.',
    cause: error,
    retryAfterSeconds: DATABASE_RETRY_SECONDS,
  });
}

/** No project has this id. */
export const projectNotFound = (projectId: string): AppError =>
  new AppError('project_not_found', {
    detail: `There is no project "${projectId}". GET /projects lists those there are.`,
  });

/** The workspace has no key of this id. */
export const keyNotFound = (id: string): AppError =>
  new AppError('key_not_found', { detail: `There is no key "${id}". GET /keys lists those there are.` });

/** There is no such workspace, or it is not the caller's: the same for who may not know. */
export const workspaceNotFound = (id: string): AppError =>
  new AppError('workspace_not_found', { detail: `There is no workspace "${id}".` });

/** The caller may not do this. */
export const scopeRequired = (needed: AccessScope, held: readonly AccessScope[]): AppError =>
  new AppError('scope_required', {
    detail: `This needs the scope "${needed}"; you have ${held.join(', ') || 'none'}.`,
    extra: { scope: needed },
  });

/** The project, or the library, has no file of this name. */
export const fileNotFound = (scope: Scope, name: string): AppError =>
  new AppError('file_not_found', {
    detail: `There is no file "${name}" in ${nameOf(scope)}. GET ${pathOf(scope)}/files lists those there are.`,
  });

/** The project has no turn of this number, or it is no number of a turn. */
export const turnNotFound = (projectId: string, number: number | string): AppError =>
  new AppError('turn_not_found', {
    detail: `The project has no turn ${number}. GET /projects/${projectId}/turns lists those there are.`,
  });

/** The project has no research run of this id. */
export const runNotFound = (projectId: string, id: string): AppError =>
  new AppError('run_not_found', {
    detail: `The project has no research run "${id}". GET /projects/${projectId}/research lists those there are.`,
  });

/** A file of nothing was sent. */
export const emptyFile = (name: string): AppError =>
  new AppError('empty_file', { detail: `"${name}" holds no bytes. Check the file and send it again.` });

/** When a caller that was turned away may try again: a process that stops is replaced, or was one of several. */
const STOPPING_RETRY_SECONDS = 5;

/** The process stops, and takes on nothing new. */
export const serviceStopping = (): AppError =>
  new AppError('service_unavailable', {
    detail: 'The service is stopping. Send the request again in a moment.',
    retryAfterSeconds: STOPPING_RETRY_SECONDS,
  });

/** One field is wrong, and what is said of it is all there is to say. */
export const wrongField = (code: ErrorCode, field: FieldError): AppError =>
  new AppError(code, { detail: field.detail, errors: [field] });

/**
 * Fields do not fit their schema.
 *
 * @param what begins the sentence: `The request`
 */
export function invalidFields(what: string, errors: FieldError[], cause?: unknown): AppError {
  const where = errors.map(({ pointer, detail }) => `${pointer || 'input'}: ${detail}`).join('; ');
  return new AppError('invalid_request', { detail: `${what} is not valid. ${where}`, errors, cause });
}
