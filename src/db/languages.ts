import type { Scope } from '../scope.ts';
import { isLanguage, type TextLanguage } from '../text/languages.ts';
import type { Queryable } from './database.ts';

/** Languages as they are stored, English (null) always among them. */
export const textLanguages = (stored: readonly (string | null)[]): TextLanguage[] => [
  null,
  ...stored.filter((language) => language !== null && isLanguage(language)),
];

/**
 * The languages that the words of a project's files or turns were indexed by, English always among them. From one to the next in
 * the index, so that a hundred thousand files of one language are one look.
 */
export async function selectLanguages(
  db: Queryable,
  scope: Scope,
  of: 'files' | 'turns',
): Promise<TextLanguage[]> {
  const { rows } = await db.query<{ language: string }>(
    `with recursive spoken as (
       (select min(language) as language from ${of}
        where workspace_id = $1 and project_id = $2 and language is not null)
       union all
       select (select min(language) from ${of}
         where workspace_id = $1 and project_id = $2 and language > spoken.language)
       from spoken where spoken.language is not null
     )
     select language from spoken where language is not null`,
    [scope.workspaceId, scope.projectId],
  );
  return textLanguages(rows.map(({ language }) => language));
}
