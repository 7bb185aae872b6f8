import { AppError } from '../../errors.ts';
import { type Scope, type Source, scopeOfSource, sourceOf } from '../../scope.ts';

/**
 * Reads a file by its name where it is: in the first of the sources that has it, the project before the library.
 *
 * @throws AppError what the project says where none has it
 */
export async function inSources<Result>(
  { scope, sources }: { scope: Scope; sources: readonly Source[] },
  read: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const [place, ...others] = (['project', 'library'] as const)
    .filter((source) => sources.includes(source))
    .map((source) => scopeOfSource(scope, source));
  if (!place) throw new Error('documents are looked for nowhere');
  try {
    return await read(place);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_not_found' || others.length === 0) throw error;
    return inSources({ scope, sources: others.map(sourceOf) }, read);
  }
}
