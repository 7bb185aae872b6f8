import { AppError } from '../../errors.ts';
import { hasStream, isEncryptedOffice, isOle } from './ole.ts';

/** The kinds of upload that there is a converter for. */
export type UploadFormat = 'docx' | 'pdf' | 'markdown' | 'text' | 'yaml' | 'json';

interface AcceptedType {
  extension: string;
  format: UploadFormat;
  mediaType: string;
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** Everything that may be uploaded. One table: messages and the contract are made from it. */
export const ACCEPTED_TYPES: readonly AcceptedType[] = [
  { extension: '.docx', format: 'docx', mediaType: `${WORD}.document` },
  { extension: '.dotx', format: 'docx', mediaType: `${WORD}.template` },
  { extension: '.docm', format: 'docx', mediaType: 'application/vnd.ms-word.document.macroEnabled.12' },
  { extension: '.dotm', format: 'docx', mediaType: 'application/vnd.ms-word.template.macroEnabled.12' },
  { extension: '.pdf', format: 'pdf', mediaType: 'application/pdf' },
  { extension: '.md', format: 'markdown', mediaType: 'text/markdown' },
  { extension: '.markdown', format: 'markdown', mediaType: 'text/markdown' },
  { extension: '.txt', format: 'text', mediaType: 'text/plain' },
  { extension: '.yaml', format: 'yaml', mediaType: 'application/yaml' },
  { extension: '.yml', format: 'yaml', mediaType: 'application/yaml' },
  { extension: '.json', format: 'json', mediaType: 'application/json' },
];

/** The formats that are known by their bytes: what they are called, and the name that such a file should have. */
const BINARY = {
  docx: { called: 'a Word document', extension: '.docx' },
  pdf: { called: 'a PDF document', extension: '.pdf' },
} as const;

type BinaryFormat = keyof typeof BINARY;

/** What content is: one of the formats, or something that is not accepted, by its name. */
type ContentKind = { format: BinaryFormat } | { other: string };

/** A kind of content that is recognised by its first bytes and that no accepted name may hold. */
const SIGNATURES: readonly (readonly [kind: string, signature: string])[] = [
  ['a PNG image', '\x89PNG\r\n\x1a\n'],
  ['a JPEG image', '\xff\xd8\xff'],
  ['a GIF image', 'GIF8'],
  ['a TIFF image', 'II*\0'],
  ['a TIFF image', 'MM\0*'],
  ['an RTF document', '{\\rtf'],
  ['a PostScript document', '%!PS'],
  ['a Linux program', '\x7fELF'],
  ['a Windows program', 'MZ\x90\0'],
  ['a gzip archive', '\x1f\x8b\x08'],
  ['a bzip2 archive', 'BZh'],
  ['an xz archive', '\xfd7zXZ\0'],
  ['a 7-Zip archive', "7z\xbc\xaf'\x1c"],
  ['a RAR archive', 'Rar!\x1a\x07'],
  ['a SQLite database', 'SQLite format 3\0'],
  ['an Ogg recording', 'OggS'],
  ['an MP3 recording', 'ID3'],
];

const ZIP = 'PK\x03\x04';
const PDF = '%PDF-';
/** A PDF may have something in front of it (ISO 32000 leaves that to readers, which look this far). */
const PDF_WITHIN = 1_024;

/** The name of an entry in a zip stands in clear text, so that even a truncated archive tells what it was. */
function zipKind(bytes: Buffer): ContentKind | undefined {
  // Names stand before each entry and again in the directory at the end: there is no need to read all that is between.
  const ends = [bytes.subarray(0, 1_000_000), bytes.subarray(-1_000_000)];
  const has = (text: string) => ends.some((end) => end.includes(text, 0, 'latin1'));
  if (has('word/') || has('wordprocessingml')) return { format: 'docx' };
  if (has('xl/workbook')) return { other: 'an Excel workbook' };
  if (has('ppt/presentation')) return { other: 'a PowerPoint presentation' };
  if (has('mimetypeapplication/epub')) return { other: 'an EPUB book' };
  if (has('mimetypeapplication/vnd.oasis.opendocument')) return { other: 'an OpenDocument file' };
  return undefined;
}

/** What the bytes are known to be; undefined when there is no telling. */
function contentKind(bytes: Buffer): ContentKind | undefined {
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith(PDF)) return { format: 'pdf' };
  if (start.startsWith(ZIP)) return zipKind(bytes);
  if (isOle(bytes)) {
    if (isEncryptedOffice(bytes)) return { format: 'docx' };
    const isWord = hasStream(bytes, 'WordDocument');
    return {
      other: isWord ? 'a document of Word 97 to 2003 (.doc)' : 'an old Office file or Outlook message',
    };
  }
  if (/^RIFF....(WAVE|WEBP|AVI )/s.test(start)) return { other: 'a RIFF image or recording' };
  if (start.slice(4, 8) === 'ftyp') return { other: 'a video or HEIC image' };
  const other = SIGNATURES.find(([, signature]) => start.startsWith(signature))?.[0];
  return other === undefined ? undefined : { other };
}

/** The accepted extensions as a phrase: `.docx, .dotx, ... or .txt`. */
export function acceptedExtensions(): string {
  const all = ACCEPTED_TYPES.map((type) => type.extension);
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

function refuse(detail: string): AppError {
  return new AppError('unsupported_media_type', {
    detail: `${detail} Accepted are ${acceptedExtensions()} files.`,
    extra: {
      accepted: ACCEPTED_TYPES.map(({ extension, mediaType }) => ({ extension, media_type: mediaType })),
    },
  });
}

/**
 * Decides what an upload is. The name must have an accepted extension, and the content must not be recognisably of
 * another kind; a PDF must be recognisably one. Content that is merely damaged is let through: its bytes are kept, and the
 * conversion says what is wrong.
 *
 * @param bytes the whole content; the first bytes alone decide less well
 * @throws AppError `unsupported_media_type`
 */
export function detectFormat(name: string, bytes: Uint8Array): { format: UploadFormat; mediaType: string } {
  const lower = name.toLowerCase();
  const accepted = ACCEPTED_TYPES.find((type) => lower.endsWith(type.extension));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = contentKind(buffer);
  if (accepted === undefined) {
    const extension = /\.[a-z0-9]{1,10}$/.exec(lower)?.[0];
    const what =
      extension === undefined ? 'The name has no extension.' : `Files of type ${extension} are not accepted.`;
    throw refuse(what + renamingHint(kind));
  }
  const { format, mediaType } = accepted;
  if (format === 'pdf' && buffer.subarray(0, PDF_WITHIN).includes(PDF)) return { format, mediaType };
  if (kind !== undefined && !('format' in kind && kind.format === format)) {
    const looks = 'other' in kind ? kind.other : BINARY[kind.format].called;
    throw refuse(`The name ends in ${accepted.extension}, but the content is ${looks}.`);
  }
  if (format === 'pdf') throw refuse('The name ends in .pdf, but the content is no PDF document.');
  return { format, mediaType };
}

function renamingHint(kind: ContentKind | undefined): string {
  if (kind === undefined || 'other' in kind) return '';
  const { called, extension } = BINARY[kind.format];
  return ` Its content is ${called}: give it a name that ends in ${extension}.`;
}
