import type { ConversionErrorCode, Converted } from './converted.ts';

/** What the pool asks of a child process. */
export interface ConversionRequest {
  id: number;
  bytes: Uint8Array;
  /** Most UTF-8 bytes of Markdown that the child may answer with. */
  maxOutputBytes: number;
}

/** What a child process answers; `cause` is for the log only. */
export type ConversionReply =
  | { id: number; converted: Converted }
  | { id: number; error: { code: ConversionErrorCode; message: string; cause: string } };
