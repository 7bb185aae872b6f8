import { TextDecoder } from 'node:util';
import { ConversionError } from '../converted.ts';

/** The characters 0x80 to 0x9f of Windows-1252; the rest is Latin-1. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20's own decoder reads this encoding as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (letter) => UPPER_CONTROLS[letter.charCodeAt(0) - 0x80] ?? letter);
}

/** Western text in UTF-16 without a mark has a zero in nearly every second byte, which no other text has. */
function wideLetters(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, 4_096);
  let even = 0;
  let odd = 0;
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = head.length / 2;
  if (odd > half * 0.7 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.7 && odd < half * 0.05 ? 'utf-16be' : undefined;
}

function encodingOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  return wideLetters(bytes);
}

/** The decoder for an encoding by any of its names (encoding.spec.whatwg.org); undefined when the name is of none. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Text in an encoding that the file names; UTF-8 is tried for every file anyway, and fits or does not. */
function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  const decoder = decoderOf(label);
  if (decoder === undefined || decoder.encoding.startsWith('utf-')) return undefined;
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
}

function decodeUnnamed(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/**
 * A file of text in the first encoding that fits: UTF-16 by its mark or its zeros, the one that the file names, then UTF-8,
 * then Windows-1252, which fits always. A byte order mark is taken off.
 *
 * @param named the name of an encoding that stands in the file; a wrong or unknown one does no harm
 * @throws ConversionError `unreadable_text` when the bytes are no text
 */
export function decodeText(bytes: Uint8Array, named?: string): string {
  const evident = encodingOf(bytes);
  const asNamed = evident === undefined && named !== undefined ? decodeAs(bytes, named) : undefined;
  const text = asNamed ?? decodeUnnamed(bytes, evident ?? 'utf-8');
  refuseBinary(text);
  return text.replaceAll('\0', '');
}

/** Text has next to no control characters; a picture or a program has many. */
function refuseBinary(text: string): void {
  const head = text.slice(0, 65_536);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
  const controls = head.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u009f\ufffd]/g)?.length ?? 0;
  if (controls > 8 && controls > head.length / 50) {
    throw new ConversionError(
      'unreadable_text',
      'The file does not hold text that can be read: its content looks binary. Save it as plain text in UTF-8 and upload that.',
    );
  }
}
