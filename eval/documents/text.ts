import mammoth from 'mammoth';
import { extractText, getDocumentProxy } from 'unpdf';
import type { EvalDocument } from './own.ts';

/**
 * The text of a document for checking labels. Read by the libraries alone, not by the service's own conversion, so that a
 * label does not become wrong (or right) with a change there.
 */
export async function documentText({ name, bytes }: EvalDocument): Promise<string> {
  if (name.endsWith('.docx')) return (await mammoth.extractRawText({ buffer: bytes })).value;
  if (name.endsWith('.pdf')) {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    return (await extractText(pdf)).text.join('\n');
  }
  return bytes.toString('utf8');
}

/** A text without the marks of Markdown tables and emphasis, blanks joined: the form in which quotes are compared. */
export function comparable(text: string): string {
  return text
    .replace(/[|*`\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether a quote stands in a text, whatever marks and line breaks there are in either. */
export function quoteOccurs(text: string, quote: string): boolean {
  return squeezed(text).includes(squeezed(quote));
}

/** Without any blank: a mark that was cut may have stood within a sentence, before a full stop. */
const squeezed = (text: string): string => comparable(text).replaceAll(' ', '');

/**
 * Whether a term stands in a text as whole words, in any case. A `*` at its end stands for any ending.
 */
export function termOccurs(text: string, term: string): boolean {
  const prefix = term.endsWith('*');
  const words = (prefix ? term.slice(0, -1) : term).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = `(?<![\\p{L}\\p{N}])${words.replaceAll(' ', '\\s+')}${prefix ? '' : '(?![\\p{L}\\p{N}])'}`;
  return new RegExp(pattern, 'iu').test(text);
}
