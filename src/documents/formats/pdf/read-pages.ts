import { getDocumentProxy } from 'unpdf';
import { ConversionError } from '../converted.ts';
import { type Bookmark, readBookmarks } from './bookmarks.ts';
import type { PdfPage } from './furniture.ts';
import { pageLines, type TextItem } from './text-line.ts';

/** What was read of a document. */
export interface PdfContent {
  pages: PdfPage[];
  /** Pages that could not be read. */
  unreadable: number;
  /** The addresses that its links lead to. */
  links: string[];
  /** Its own table of contents. */
  bookmarks: Bookmark[];
}

const MOST_PAGES = 5_000;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

function corrupt(cause: unknown): ConversionError {
  return new ConversionError(
    'corrupt_file',
    'The file is damaged: it cannot be read as a PDF. Open it in a PDF reader, save or print it as PDF again, and upload that.',
    { cause },
  );
}

/** Nothing is fetched, drawn or run: there is no address to fetch fonts or tables from, and text needs no picture. */
const SAFE = {
  verbosity: 0,
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  stopAtErrors: false,
} as const;

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // pdf.js takes the memory of what it is given.
    return await getDocumentProxy(new Uint8Array(bytes), SAFE);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ConversionError(
        'encrypted_file',
        'The PDF is protected by a password. Open it with the password, save or print it as a PDF without one, and upload that.',
        { cause: error },
      );
    }
    throw corrupt(error);
  }
}

async function readPage(pdf: PdfDocument, number: number): Promise<{ page: PdfPage; links: string[] }> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const [, bottom = 0, , top = 0] = page.view;
  // Links are worth counting, not failing for.
  const annotations: { subtype?: unknown; url?: unknown }[] = await page.getAnnotations().catch(() => []);
  const links = annotations.flatMap(({ subtype, url }) =>
    subtype === 'Link' && typeof url === 'string' ? [url] : [],
  );
  page.cleanup();
  const lines = pageLines(items.filter((item): item is typeof item & TextItem => 'str' in item));
  return { page: { lines, bottom, height: Math.max(1, top - bottom) }, links };
}

/**
 * Reads the lines and links of all pages.
 *
 * @param mostCharacters reading stops when there are more
 * @throws ConversionError `encrypted_file`, `corrupt_file`, `too_many_pages`, `output_too_large`
 */
export async function readPages(bytes: Uint8Array, mostCharacters: number): Promise<PdfContent> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MOST_PAGES) {
      throw new ConversionError(
        'too_many_pages',
        `The PDF has ${pdf.numPages} pages; up to ${MOST_PAGES} can be read. Split it into several files.`,
      );
    }
    const content: PdfContent = { pages: [], unreadable: 0, links: [], bookmarks: await readBookmarks(pdf) };
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      try {
        const { page, links } = await readPage(pdf, number);
        characters += page.lines.reduce((sum, { text }) => sum + text.length, 0);
        content.pages.push(page);
        content.links.push(...links);
      } catch {
        content.unreadable += 1;
        content.pages.push({ lines: [], bottom: 0, height: 1 });
      }
      if (characters > mostCharacters) break;
    }
    if (content.unreadable > 0 && content.unreadable === content.pages.length) {
      throw corrupt(new Error('no page can be read'));
    }
    return content;
  } finally {
    await pdf.destroy().catch(() => undefined);
  }
}
