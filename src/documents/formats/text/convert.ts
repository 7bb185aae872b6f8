import { ConversionError, type Converted } from '../converted.ts';
import { passThroughFidelity } from '../fidelity.ts';
import { decodeText } from './decode.ts';

/** Converts plain text: the text as it is. */
export function convertText(bytes: Uint8Array): Converted<'text'> {
  return passThrough(bytes, 'text');
}

/**
 * Text of a format that is stored as it came.
 *
 * @throws ConversionError `unreadable_text`, `no_text`
 */
export function passThrough<Text extends string>(bytes: Uint8Array, format: Text): Converted<Text> {
  const markdown = decodeText(bytes);
  if (markdown.trim() === '') {
    throw new ConversionError('no_text', 'The file holds no text: there is nothing to search in it.');
  }
  return { markdown, format, fidelity: passThroughFidelity() };
}
