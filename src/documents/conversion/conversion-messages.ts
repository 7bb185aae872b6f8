import type { Chunking } from '../chunking/settings.ts';
import type { ConversionErrorCode } from '../formats/converted.ts';
import type { UploadFormat } from '../formats/registry.ts';
import type { DocumentFrame, DocumentPiece } from './pieces.ts';

/** What the pool asks of a child process. */
export interface ConversionRequest {
  id: number;
  name: string;
  bytes: Uint8Array;
  format: UploadFormat;
  chunking: Chunking;
  /** Most UTF-8 bytes of Markdown that the child may answer with. */
  maxOutputBytes: number;
}

/** The last message about a request; an error's `cause` is for the log only. */
export type FinalReply =
  | { id: number; frame: DocumentFrame }
  | { id: number; error: { code: ConversionErrorCode; message: string; cause: string } };

/** What a child process answers: that it is converted and being cut, then the document piece by piece. */
export type ConversionReply =
  | { id: number; isConverted: true }
  | { id: number; piece: DocumentPiece }
  | FinalReply;

export function isFinal(reply: ConversionReply): reply is FinalReply {
  return 'frame' in reply || 'error' in reply;
}
