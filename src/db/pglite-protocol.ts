/** What travels between the pool and the thread that holds the embedded database. */
export interface PgliteRequest {
  id: number;
  sql: string;
  /** Without parameters the text may hold several statements. */
  params: readonly unknown[] | undefined;
}

/** The part of a database error that can cross threads and that callers look at. */
export interface PgliteFailure {
  message: string;
  /** SQLSTATE. */
  code?: string;
  constraint?: string;
  detail?: string;
}

export type PgliteReply =
  | { type: 'ready' }
  | { type: 'unusable'; message: string }
  | { type: 'result'; id: number; rows: Record<string, unknown>[]; rowCount: number }
  | { type: 'failure'; id: number; failure: PgliteFailure };
