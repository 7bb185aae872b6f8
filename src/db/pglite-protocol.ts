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
  /** The database is of no use any more: it has crashed, or hangs at its next statement as it does once its disk was full. */
  isFatal?: boolean;
}

export type PgliteReply =
  | { type: 'ready' }
  | { type: 'unusable'; failure: PgliteFailure }
  | { type: 'result'; id: number; rows: Record<string, unknown>[]; rowCount: number }
  | { type: 'failure'; id: number; failure: PgliteFailure };
