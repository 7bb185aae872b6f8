import type { Queryable } from '../db/database.ts';
import { selectLanguages } from '../db/languages.ts';
import {
  countTerms,
  type SearchableTotals,
  selectSearchableTotals,
  type TermCount,
} from '../db/large-projects.ts';
import { hasVectorIndex } from '../db/vector-indexes.ts';
import type { Scope } from '../scope.ts';
import type { TextLanguage } from '../text/languages.ts';

/*
 * What ranking needs to know of a project as a whole, remembered for five minutes: in a project of a million leaves, adding it up
 * anew for each search would take longer than the search, and how rare a word is changes slowly there.
 */

const REMEMBERED_MS = 5 * 60_000;
const MOST_PROJECTS = 1_000;
/** Terms of a project that are remembered: those that take long to count. */
const MOST_TERMS = 10_000;
const MANY_FILES = 500;

interface Known {
  totals: SearchableTotals;
  terms: Map<string, TermCount>;
  /** By dimensions. */
  indexes: Map<number, Promise<boolean>>;
  languages: Promise<readonly TextLanguage[]> | null;
}

const projects = new Map<string, { until: number; known: Promise<Known> }>();

/** One look for all who ask at once: both rankings of a search do. */
function known(db: Queryable, scope: Scope): Promise<Known> {
  const key = `${scope.workspaceId}/${scope.projectId}`;
  const remembered = projects.get(key);
  if (remembered && remembered.until > performance.now()) return remembered.known;
  const looking = selectSearchableTotals(db, scope).then(
    (totals): Known => ({ totals, terms: new Map(), indexes: new Map(), languages: null }),
  );
  projects.delete(key);
  projects.set(key, { until: performance.now() + REMEMBERED_MS, known: looking });
  looking.catch(() => projects.delete(key));
  const [oldest] = projects.keys();
  if (projects.size > MOST_PROJECTS && oldest !== undefined) projects.delete(oldest);
  return looking;
}

/** What the project's searchable files come to, as of five minutes ago at most. */
export const totalsOf = async (db: Queryable, scope: Scope): Promise<SearchableTotals> =>
  (await known(db, scope)).totals;

/** How many of the project's leaves and files have each of the terms, of common ones as of five minutes ago at most. */
export async function termCounts(
  db: Queryable,
  scope: Scope,
  terms: readonly string[],
): Promise<Map<string, TermCount>> {
  const { terms: remembered } = await known(db, scope);
  const unknown = terms.filter((term) => !remembered.has(term));
  const counted = unknown.length > 0 ? await countTerms(db, scope, unknown) : new Map<string, TermCount>();
  for (const [term, count] of counted) {
    if (count.files > MANY_FILES && remembered.size < MOST_TERMS) remembered.set(term, count);
  }
  return new Map(
    terms.flatMap((term) => {
      const count = counted.get(term) ?? remembered.get(term);
      return count ? [[term, count] as const] : [];
    }),
  );
}

/** Whether the project's vectors of so many dimensions have an approximate index, as of five minutes ago at most. */
export async function isIndexed(db: Queryable, scope: Scope, dimensions: number): Promise<boolean> {
  const { indexes } = await known(db, scope);
  const asked = indexes.get(dimensions) ?? hasVectorIndex(db, scope, dimensions);
  indexes.set(dimensions, asked);
  asked.catch(() => indexes.delete(dimensions));
  return asked;
}

/**
 * The languages of the project's files, as of five minutes ago at most: a search that finds files of others says so
 * (`rememberLanguages`), and goes by those.
 */
export async function languagesOf(db: Queryable, scope: Scope): Promise<readonly TextLanguage[]> {
  const project = await known(db, scope);
  const asked = project.languages ?? selectLanguages(db, scope, 'files');
  project.languages = asked;
  asked.catch(() => {
    project.languages = null;
  });
  return asked;
}

/** The languages that the project's files have by now. */
export async function rememberLanguages(
  db: Queryable,
  scope: Scope,
  languages: readonly TextLanguage[],
): Promise<void> {
  (await known(db, scope)).languages = Promise.resolve(languages);
}
