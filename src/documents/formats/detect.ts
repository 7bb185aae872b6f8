import { foreignContent } from './foreign-content.ts';
import {
  ACCEPTED_TYPES,
  acceptedExtensions,
  formatOf,
  UPLOAD_FORMATS,
  type UploadFormat,
} from './registry.ts';

/** A file that no format takes. The message says why and what is accepted, and is safe to show to a caller. */
export class UnsupportedFileError extends Error {
  constructor(why: string) {
    super(`${why} Accepted are ${acceptedExtensions()} files.`);
    this.name = 'UnsupportedFileError';
  }
}

/** What an upload was recognised as. */
export interface DetectedFormat {
  format: UploadFormat;
  /** Stored with the file: `formatOfMediaType` gives the format again. */
  mediaType: string;
}

/**
 * Decides what an upload is. The name must have an accepted extension, and the content must not be recognisably of
 * another kind; a format whose files always bear its mark must be recognised. Content that is merely damaged is let
 * through: its bytes are kept, and the conversion says what is wrong.
 *
 * @param bytes the whole content; the first bytes alone decide less well
 * @throws UnsupportedFileError
 */
export function detectFormat(name: string, bytes: Uint8Array): DetectedFormat {
  const lower = name.toLowerCase();
  const accepted = ACCEPTED_TYPES.find((type) => lower.endsWith(type.extension));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (accepted === undefined) throw new UnsupportedFileError(strangeName(lower, buffer));
  const { extension, format, mediaType } = accepted;
  const { marks } = formatOf(format);
  if (marks?.confirm?.(buffer)) return { format, mediaType };
  const recognised = identify(buffer);
  if (recognised !== format) {
    const called = recognised === undefined ? foreignContent(buffer) : calledOf(recognised);
    if (called) throw mismatch(extension, called);
  }
  if (marks?.confirm) throw mismatch(extension, marks.called.replace(/^an?\b/, 'no'));
  return { format, mediaType };
}

/** The format that the bytes are of beyond doubt. */
const identify = (bytes: Buffer): UploadFormat | undefined =>
  UPLOAD_FORMATS.find((format) => formatOf(format).marks?.identify(bytes));

const calledOf = (format: UploadFormat): string | undefined => formatOf(format).marks?.called;

const mismatch = (extension: string, called: string): UnsupportedFileError =>
  new UnsupportedFileError(`The name ends in ${extension}, but the content is ${called}.`);

/** Why a name is not accepted, and a better one when the content is known. */
function strangeName(name: string, bytes: Buffer): string {
  const extension = /\.[a-z0-9]{1,10}$/.exec(name)?.[0];
  const what =
    extension === undefined ? 'The name has no extension.' : `Files of type ${extension} are not accepted.`;
  const format = identify(bytes);
  if (format === undefined) return what;
  const better = formatOf(format).fileTypes[0].extension;
  return `${what} Its content is ${calledOf(format)}: give it a name that ends in ${better}.`;
}
