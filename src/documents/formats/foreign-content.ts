import { hasStream, isOle } from './ole.ts';
import { zipMentions } from './zip-names.ts';

/** Kinds of content that are recognised by their first bytes and that no accepted name may hold. */
const SIGNATURES: readonly (readonly [called: string, signature: string])[] = [
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

/** Documents that are zip archives, by what stands in them. */
const ARCHIVES: readonly (readonly [called: string, entry: string])[] = [
  ['an Excel workbook', 'xl/workbook'],
  ['a PowerPoint presentation', 'ppt/presentation'],
  ['an EPUB book', 'mimetypeapplication/epub'],
  ['an OpenDocument file', 'mimetypeapplication/vnd.oasis.opendocument'],
];

/**
 * What content that is of none of the formats is recognised as, with its article: `a PNG image`. Undefined when there is
 * no telling.
 */
export function foreignContent(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 16);
  if (isOle(bytes)) {
    return hasStream(bytes, 'WordDocument')
      ? 'a document of Word 97 to 2003 (.doc)'
      : 'an old Office file or Outlook message';
  }
  if (/^RIFF....(WAVE|WEBP|AVI )/s.test(start)) return 'a RIFF image or recording';
  if (start.slice(4, 8) === 'ftyp') return 'a video or HEIC image';
  const [signed] = SIGNATURES.find(([, signature]) => start.startsWith(signature)) ?? [];
  const [archive] = signed ? [] : (ARCHIVES.find(([, entry]) => zipMentions(bytes, entry)) ?? []);
  return signed ?? archive;
}
