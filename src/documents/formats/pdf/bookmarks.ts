import type { TextLine } from './text-line.ts';

/** An entry of a PDF's own table of contents. */
export interface Bookmark {
  title: string;
  /** 1 for the outermost. */
  level: number;
  /** Index of the page that it leads to. */
  page: number;
}

/** The part of pdf.js's document that bookmarks are read from. */
interface BookmarkSource {
  getOutline(): Promise<OutlineItem[] | null | undefined>;
  getDestination(name: string): Promise<unknown[] | null>;
  getPageIndex(reference: { num: number; gen: number }): Promise<number>;
}

interface OutlineItem {
  title: string;
  dest: string | unknown[] | null;
  items: OutlineItem[];
}

/** More than any book has; what a hostile file repeats without end stops here. */
const MOST = 5_000;
const DEEPEST = 6;
const MOST_LINES = 3;

/** The bookmarks of a document, in order; none where they cannot be read. */
export async function readBookmarks(pdf: BookmarkSource): Promise<Bookmark[]> {
  const found: Bookmark[] = [];
  let seen = 0;
  const pageOf = async (dest: OutlineItem['dest']): Promise<number | undefined> => {
    const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
    const target = Array.isArray(place) ? place[0] : undefined;
    if (typeof target === 'number') return target;
    return typeof target === 'object' && target !== null && 'num' in target && 'gen' in target
      ? pdf.getPageIndex(target as { num: number; gen: number })
      : undefined;
  };
  const visit = async (items: readonly OutlineItem[], level: number): Promise<void> => {
    for (const { title, dest, items: inner } of items) {
      seen += 1;
      if (seen > MOST) return;
      const page = await pageOf(dest).catch(() => undefined);
      if (page !== undefined) found.push({ title, level, page });
      if (level < DEEPEST) await visit(inner, level + 1);
    }
  };
  await pdf
    .getOutline()
    .then((items) => visit(items ?? [], 1))
    .catch(() => undefined);
  return found;
}

function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Marks the lines that a bookmark names, on the page that it leads to: they are headings, whatever their size. */
export function markHeadings(pages: readonly { lines: TextLine[] }[], bookmarks: readonly Bookmark[]): void {
  for (const bookmark of bookmarks) {
    const title = letters(bookmark.title);
    const lines = pages[bookmark.page]?.lines ?? [];
    if (title === '') continue;
    const start = lines.findIndex(
      (line, index) => line.bookmark === undefined && spells(lines, index, title),
    );
    let rest = title;
    for (let at = start; at !== -1 && at < lines.length && rest !== ''; at += 1) {
      const line = lines[at];
      if (line === undefined) break;
      line.bookmark = bookmark;
      rest = rest.slice(letters(line.text).length);
    }
  }
}

/** Whether the lines from `start` on, a few at most, are that text and nothing else. */
function spells(lines: readonly TextLine[], start: number, wanted: string): boolean {
  let text = '';
  for (let at = start; at < start + MOST_LINES; at += 1) {
    text += letters(lines[at]?.text ?? '');
    if (text === wanted) return true;
    if (text === '' || !wanted.startsWith(text)) return false;
  }
  return false;
}
