import { archiveInvalid } from './archive-invalid.ts';

const NEWLINE = 0x0a;

/**
 * The lines of a stream of JSON Lines, each as its text with its number, from 1; empty ones are passed over.
 *
 * @param maxBytes of one line: what is held at a time
 * @throws AppError `archive_invalid`, naming `path` and the line
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
): AsyncGenerator<{ line: number; text: string }> {
  let pieces: Buffer[] = [];
  let held = 0;
  let line = 1;
  const add = (piece: Buffer) => {
    held += piece.length;
    if (held > maxBytes) throw archiveInvalid(`${path}, line ${line}: is longer than ${maxBytes} bytes.`);
    pieces.push(piece);
  };
  const take = (): string => {
    const text = decode(Buffer.concat(pieces), `${path}, line ${line}`);
    pieces = [];
    held = 0;
    return text.trim();
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      const text = take();
      if (text !== '') yield { line, text };
      line += 1;
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  const text = take();
  if (text !== '') yield { line, text };
}

/** @throws AppError `archive_invalid` when the bytes are no UTF-8 */
export function decode(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw archiveInvalid(`${where}: is not text in UTF-8.`, error);
  }
}
