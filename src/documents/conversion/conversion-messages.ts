import type { Chunking } from '../../contract/chunking.ts';
import type { Exchange } from '../../processes/exchange.ts';
import type { ConversionErrorCode } from '../formats/converted.ts';
import type { UploadFormat } from '../formats/registry.ts';
import type { DocumentFrame, DocumentPiece } from './pieces.ts';

export interface ConversionRequest {
  name: string;
  bytes: Uint8Array;
  format: UploadFormat;
  chunking: Chunking;
  /** Most UTF-8 bytes of Markdown that the child may answer with. */
  maxOutputBytes: number;
}

/** What the children that convert do for a file, one after the other. */
export const CONVERSION_STEPS = ['convert', 'cut'] as const;

/** What the children that convert are asked, and what they answer. */
export interface Conversion extends Exchange {
  request: ConversionRequest;
  /** That the file is converted and being cut; then the document piece by piece. */
  part: { isConverted: true } | { piece: DocumentPiece };
  result: DocumentFrame;
  /** `cause` is for the log only. */
  failure: { code: ConversionErrorCode; message: string; cause: string };
}
