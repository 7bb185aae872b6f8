import { ConversionError, type Converted } from '../converted.ts';
import { reportFidelity } from '../fidelity.ts';
import { countResult } from '../to-markdown/result-counts.ts';
import { createTally, type Tally } from '../to-markdown/tally.ts';
import { toHtml } from './markdown/html.ts';
import { htmlToMarkdown } from './markdown/to-markdown.ts';
import { openDocx } from './package/package.ts';
import { rewriteDocument } from './rewrite/rewrite.ts';

const DETAILS = {
  comment: "Reviewers' comments are not part of the text.",
  hidden_text: 'Text that is formatted as hidden is left out.',
  embedded_document: 'Documents embedded in this one are not read: upload them as files of their own.',
  graphic: 'A chart or diagram could not be read.',
  header_footer: 'Headers and footers are kept once each; so long ones are left out.',
};

function noText(tally: Tally): ConversionError {
  const message =
    tally.source.images > 0
      ? 'The document holds pictures but no text, as a scan does. Recognise its text (OCR), save that as .docx, and upload it.'
      : 'The document holds no text: there is nothing to search in it. Check that the right file was uploaded.';
  return new ConversionError('no_text', message);
}

/**
 * Converts a Word document to Markdown: its XML is rewritten to what survives the way, mammoth makes HTML of it, and turndown
 * with rules of our own Markdown. Blocks the thread for as long as it takes: call it through the pool.
 *
 * @throws ConversionError
 */
export async function convertDocx(bytes: Uint8Array): Promise<Converted<'markdown'>> {
  const tally = createTally();
  const markdown = htmlToMarkdown(await toHtml(await rewriteDocument(await openDocx(bytes), tally)));
  const result = countResult(markdown);
  // A letterhead alone is no document.
  if (result.letters <= tally.furniture) throw noText(tally);
  const fidelity = reportFidelity({
    source: tally.source,
    result: result.kinds,
    letters: { source: tally.letters + tally.furniture, result: result.letters },
    losses: tally.losses,
    details: DETAILS,
  });
  return { markdown: `${markdown}\n`, format: 'markdown', fidelity };
}
