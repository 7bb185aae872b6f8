import type { Citation, CitationCheck } from '../contract/citation.ts';
import { supportOf } from '../copilot/citation-support.ts';
import { nearestPlace, relocateQuote } from '../copilot/relocate-quote.ts';
import type { Database } from '../db/database.ts';
import { readMarkdown } from '../db/file-versions.ts';
import { findFile } from '../db/files.ts';
import { type LeafPlace, selectLeafPlaces } from '../db/leaf-places.ts';
import { type Scope, type Source, scopeOfSource, sourceOf } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requirePlace } from './places.ts';

/** What of a citation is needed to find it again. */
type CitedQuote = Pick<Citation, 'filename' | 'char_start' | 'quote' | 'header_path'> & {
  source?: Source | undefined;
  claim?: string | undefined;
};

interface CurrentText {
  source: Source;
  version: number;
  markdown: string;
  places: LeafPlace[];
}

const gone = (source: Source, filename: string): CitationCheck => ({
  object: 'citation_check',
  source,
  filename,
  status: 'gone',
  version: null,
  char_start: null,
  char_end: null,
  matches: 0,
  section: null,
});

/** Finds out whether what was cited still stands where it stood. */
export function createCitationService({ db }: { db: Database }) {
  async function currentText(scope: Scope, filename: string): Promise<CurrentText | null> {
    const found = await findFile(db, scope, storableText(filename).normalize('NFC'));
    const version = found?.file.searchable_version ?? null;
    if (!found || version === null) return null;
    const markdown = await readMarkdown(db, scope, found.fileId, version);
    if (markdown === null) return null;
    return {
      source: sourceOf(scope),
      version,
      markdown,
      places: await selectLeafPlaces(db, scope, found.fileId),
    };
  }

  return {
    /**
     * Checks citations against the files as they are searched now; the answers are in the citations' order. One that names
     * no source is of the scope itself.
     *
     * @throws AppError `project_not_found`
     */
    async verify(scope: Scope, citations: readonly CitedQuote[]): Promise<CitationCheck[]> {
      await requirePlace(db, scope);
      const checks: CitationCheck[] = [];
      const sections = new Map<CitedQuote, string>();
      for (const { place, filename, indices } of filesOf(scope, citations)) {
        // one file at a time: its text may be large
        const current = await currentText(place, filename);
        for (const index of indices) {
          const citation = citations[index];
          if (!citation) continue;
          const found = current ? check(citation, current) : gone(sourceOf(place), filename);
          checks[index] = found;
          const section = current && sectionText(found, current);
          if (section !== null) sections.set(citation, section);
        }
      }
      const support = supportOf(citations, (citation) => sections.get(citation) ?? null);
      return checks.map((found, index) => ({ ...found, ...support[index] }));
    },
  };
}

export type CitationService = ReturnType<typeof createCitationService>;

/** The files that are cited, and the indices of what is cited of each. */
function filesOf(scope: Scope, citations: readonly CitedQuote[]) {
  const files = new Map<string, { place: Scope; filename: string; indices: number[] }>();
  for (const [index, { source = 'project', filename }] of citations.entries()) {
    const place = scopeOfSource(scope, source);
    const key = `${sourceOf(place)}/${filename}`;
    const file = files.get(key) ?? { place, filename, indices: [] };
    files.set(key, { ...file, indices: [...file.indices, index] });
  }
  return files.values();
}

/** The section that a citation's words stand in now, with its names; null when they stand nowhere. */
function sectionText(
  { filename, section, char_start }: CitationCheck,
  { markdown, places }: CurrentText,
): string | null {
  if (section === null || char_start === null) return null;
  const leaves = places.filter(({ parentId }) => parentId === section.parent_id);
  const start = Math.min(...leaves.map(({ charStart }) => charStart));
  const end = Math.max(...leaves.map(({ charEnd }) => charEnd));
  return [filename, ...section.header_path, markdown.slice(start, end)].join('\n');
}

function check(
  { filename, quote, char_start: was, header_path }: CitedQuote,
  { source, version, markdown, places }: CurrentText,
): CitationCheck {
  const { status, charStart, charEnd, matches } = relocateQuote(markdown, storableText(quote), was);
  const place =
    charStart === null
      ? nearestPlace(places, header_path, was)
      : (places.find((leaf) => leaf.charStart <= charStart && charStart < leaf.charEnd) ?? null);
  return {
    object: 'citation_check',
    source,
    filename,
    status,
    version,
    char_start: charStart,
    char_end: charEnd,
    matches,
    section: place && {
      header_path: place.headerPath,
      leaf_id: place.leafId,
      parent_id: place.parentId,
      char_start: place.charStart,
      char_end: place.charEnd,
    },
  };
}
