import { AppError } from '../../errors.ts';
import { type Scope, SOURCES, type Source, scopeOfSource } from '../../scope.ts';

/**
 * Reads a file by its name where it is: in the first of the sources that has it, the project before the library.
 *
 * @param sources one at least
 * @throws AppError what the first of them says where none has it
 */
export async function inSources<Result>(
  { scope, sources }: { scope: Scope; sources: readonly Source[] },
  read: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  let missing: unknown;
  for (const source of SOURCES.filter((each) => sources.includes(each))) {
    try {
      return await read(scopeOfSource(scope, source));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'file_not_found') throw error;
      missing ??= error;
    }
  }
  throw missing;
}
