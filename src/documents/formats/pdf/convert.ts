import { ConversionError, type Converted, type FidelityReport, type Loss } from '../converted.ts';
import { markHeadings } from './bookmarks.ts';
import { composeText } from './compose.ts';
import { removeFurniture } from './furniture.ts';
import { countImages } from './images.ts';
import { type PdfContent, readPages } from './read-pages.ts';

function noText(pages: number, images: number): ConversionError {
  if (pages === 0)
    return new ConversionError('no_text', 'The PDF has no pages: there is nothing to search in it.');
  return new ConversionError(
    'no_text_layer',
    `The PDF has no text layer${images > 0 ? ': its pages are pictures, as of a scan' : ' that could be read'}. ` +
      'Run text recognition (OCR) on it, save the result as PDF, and upload that.',
  );
}

const DETAILS: Record<string, string> = {
  page_without_text: 'Pages without a text layer, such as scanned ones: run text recognition (OCR) on them.',
  unreadable_page: 'Pages that are damaged and could not be read.',
  image: 'Pictures are left out.',
  link: 'The addresses of these links do not stand in the text.',
  header_footer:
    'Headers, footers and page numbers that are repeated on the pages are kept once or left out.',
};

/** Pages count by far the most: what is on them is text above all. */
const WEIGHTS = { pages: 20, links: 2, images: 1 };

function report(content: PdfContent, text: string, images: number, furniture: number): FidelityReport {
  const pages = content.pages.length;
  const withoutText = content.pages.filter(({ lines }) => lines.length === 0).length;
  const links = content.links.filter((link) => text.includes(link.replace(/^mailto:|\/$/g, ''))).length;
  const counts = {
    pages: { source: pages, result: pages - withoutText },
    links: { source: content.links.length, result: links },
    images: { source: images, result: 0 },
  };
  let weight = 0;
  let kept = 0;
  for (const kind of ['pages', 'links', 'images'] as const) {
    const { source, result } = counts[kind];
    if (source === 0) continue;
    weight += WEIGHTS[kind];
    kept += WEIGHTS[kind] * (result / source);
  }
  const losses: [string, number][] = [
    ['page_without_text', withoutText - content.unreadable],
    ['unreadable_page', content.unreadable],
    ['image', images],
    ['link', content.links.length - links],
    ['header_footer', furniture],
  ];
  return {
    score: Math.floor((kept / weight) * 1000) / 1000,
    counts,
    losses: losses
      .filter(([, count]) => count > 0)
      .map(([kind, count]): Loss => ({ kind, count, detail: DETAILS[kind] ?? '' })),
  };
}

/**
 * Converts a PDF by its text layer: lines in content order, put together to paragraphs, headings where the font size is
 * clear about them (the text is then Markdown), with the offset at which each page starts. Blocks the thread while it
 * runs: call it through the pool.
 *
 * @throws ConversionError
 */
export async function convertPdf(
  bytes: Uint8Array,
  mostCharacters = Number.POSITIVE_INFINITY,
): Promise<Converted<'pdf' | 'markdown'>> {
  const content = await readPages(bytes, mostCharacters);
  const images = countImages(bytes);
  if (content.pages.every(({ lines }) => lines.length === 0)) throw noText(content.pages.length, images);
  const furniture = removeFurniture(content.pages);
  markHeadings(content.pages, content.bookmarks);
  const { text, pageStarts, headings } = composeText(content.pages);
  return {
    markdown: text,
    format: headings > 0 ? 'markdown' : 'pdf',
    pageStarts,
    fidelity: report(content, text, images, furniture),
  };
}
