import { type AppError, wrongField } from '../errors.ts';
import { TURNING } from '../text/turning.ts';

const MAX_NAME_BYTES = 255;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * The name that a file is addressed by: Unicode in normal form C, without a path.
 *
 * @param pointer where in the request it stands
 * @throws AppError `invalid_file_name` saying which rule the name breaks
 */
export function fileNameFrom(raw: string | undefined, pointer = 'file'): string {
  const refuse = (detail: string): AppError =>
    wrongField('invalid_file_name', { pointer, detail, code: 'invalid_file_name' });
  const name = (raw ?? '').normalize('NFC').trim();
  if (name === '') {
    throw refuse(
      pointer === 'file'
        ? 'The file part has no file name; send one in its Content-Disposition.'
        : 'A file name must not be empty.',
    );
  }
  if (/[/\\]/.test(name))
    throw refuse('A file name must not hold "/" or "\\": send the name without its path.');
  if (TURNING.test(name)) {
    throw refuse(
      'A file name must not hold characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069): they make it read as another one.',
    );
  }
  if (CONTROL.test(name) || !name.isWellFormed()) {
    throw refuse('A file name must not hold control characters.');
  }
  if (name === '.' || name === '..') throw refuse('"." and ".." are not names of files.');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw refuse(
      `A file name may have up to ${MAX_NAME_BYTES} bytes in UTF-8; this one has ${Buffer.byteLength(name)}.`,
    );
  }
  return name;
}
