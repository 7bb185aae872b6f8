import { ConversionError, type Converted } from '../converted.ts';
import { reportFidelity } from '../fidelity.ts';
import { countLetters } from '../to-markdown/letters.ts';
import { countResult } from '../to-markdown/result-counts.ts';
import { createTally, type Tally } from '../to-markdown/tally.ts';
import { decodeHtml } from './decode.ts';
import { DETAILS } from './left-out.ts';
import { parseHtml } from './parse.ts';
import { SimpleNode } from './simple-node.ts';
import { type SimplePage, simplifyPage } from './simplify.ts';
import { writeMarkdown } from './write-markdown.ts';

function noText(tally: Tally): ConversionError {
  const message =
    tally.source.images > 0
      ? 'The page holds pictures but no text: there is nothing to search in it.'
      : 'The page holds no text. Some pages are filled by scripts only when a browser opens them: save the page from the browser, complete, and upload that.';
  return new ConversionError('no_text', message);
}

function hasTopHeading(root: SimpleNode): boolean {
  for (let node = root.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeName === 'H1') return true;
  return false;
}

/** A page without a heading of its own for all of it has its title for one. */
function addTitle({ root, title }: SimplePage, tally: Tally): void {
  if (title === '' || hasTopHeading(root)) return;
  const heading = SimpleNode.element('H1');
  heading.append(SimpleNode.text(title));
  root.prepend(heading);
  tally.source.headings += 1;
  tally.letters += countLetters(title);
}

/**
 * Converts a page to Markdown: it is parsed as a browser parses it, simplified to what a reader sees, and written. Nothing
 * is fetched and no script runs. Time and memory grow in proportion to its length, however it is nested or broken.
 *
 * @throws ConversionError
 */
export function convertHtml(bytes: Uint8Array): Converted<'markdown'> {
  const html = decodeHtml(bytes);
  const tally = createTally();
  const page = simplifyPage(parseHtml(html), html.length, tally);
  if (tally.letters === 0) throw noText(tally);
  addTitle(page, tally);
  const markdown = writeMarkdown(page.root);
  const result = countResult(markdown);
  const fidelity = reportFidelity({
    source: tally.source,
    result: result.kinds,
    letters: { source: tally.letters, result: result.letters },
    losses: tally.losses,
    details: DETAILS,
  });
  return { markdown: `${markdown}\n`, format: 'markdown', fidelity };
}
