import { nearestPlace, type Relocation, relocateQuote } from '../copilot/relocate-quote.ts';
import type { Database } from '../db/database.ts';
import { readMarkdown } from '../db/file-versions.ts';
import { findFile } from '../db/files.ts';
import { type LeafPlace, selectLeafPlaces } from '../db/leaf-places.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requireProject } from './projects.ts';

/** What of a citation is needed to find it again. */
export interface CitedQuote {
  filename: string;
  char_start: number;
  quote: string;
  header_path: string[];
}

/** What became of a citation in the searchable version of its file. */
export interface CitationCheck {
  status: Relocation['status'] | 'gone';
  /** The version that was looked at; null when there is none. */
  version: number | null;
  charStart: number | null;
  charEnd: number | null;
  matches: number;
  /** Where the words are, or for `changed` where they most likely were. */
  place: LeafPlace | null;
}

interface CurrentText {
  version: number;
  markdown: string;
  places: LeafPlace[];
}

const GONE: CitationCheck = {
  status: 'gone',
  version: null,
  charStart: null,
  charEnd: null,
  matches: 0,
  place: null,
};

/** Finds out whether what was cited still stands where it stood. */
export function createCitationService({ db }: { db: Database }) {
  async function currentText(scope: Scope, filename: string): Promise<CurrentText | null> {
    const file = await findFile(db, scope, storableText(filename).normalize('NFC'));
    if (!file || file.searchableVersion === null) return null;
    const markdown = await readMarkdown(db, scope, file.fileId, file.searchableVersion);
    if (markdown === null) return null;
    return {
      version: file.searchableVersion,
      markdown,
      places: await selectLeafPlaces(db, scope, file.fileId),
    };
  }

  return {
    /**
     * Checks citations against the files as they are searched now; the answers are in the citations' order.
     *
     * @throws AppError `project_not_found`
     */
    async verify(scope: Scope, citations: readonly CitedQuote[]): Promise<CitationCheck[]> {
      await requireProject(db, scope);
      const checks: CitationCheck[] = citations.map(() => GONE);
      for (const filename of new Set(citations.map((citation) => citation.filename))) {
        // one file at a time: its text may be large
        const current = await currentText(scope, filename);
        if (!current) continue;
        for (const [index, citation] of citations.entries()) {
          if (citation.filename === filename) checks[index] = check(citation, current);
        }
      }
      return checks;
    },
  };
}

export type CitationService = ReturnType<typeof createCitationService>;

function check(
  { quote, char_start: was, header_path }: CitedQuote,
  { version, markdown, places }: CurrentText,
): CitationCheck {
  const found = relocateQuote(markdown, storableText(quote), was);
  const at = found.charStart;
  const place =
    at === null
      ? nearestPlace(places, header_path, was)
      : (places.find(({ charStart, charEnd }) => charStart <= at && at < charEnd) ?? null);
  return { ...found, version, place };
}
