import { z } from 'zod';
import { SOURCES, type Source } from '../scope.ts';

/** Where a document is. */
export const sourceSchema = z.enum(SOURCES).describe('Where the file is: in the project, or in the library.');

/** Where documents are looked for. */
export const sourcesSchema = z
  .array(z.enum(SOURCES))
  .min(1)
  .max(2)
  .describe(
    'Where documents are looked for: in the project, in the library that all projects share, or in both. From both, the best come back in one ranking, and half of the places at least are for what bears on the query of the project.',
  );

/** Where documents are looked for when nobody says. */
export const DEFAULT_SOURCES: Source[] = ['project'];
