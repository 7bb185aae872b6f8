import { z } from 'zod';
import { projectSchema } from './project.ts';

/** What an import made. */
export const projectImportSchema = z
  .object({
    object: z.literal('project_import'),
    project: projectSchema,
    imported: z.object({
      files: z.int(),
      versions: z.int(),
      turns: z.int(),
      turn_events: z.int(),
      turn_summaries: z.int(),
      vectors: z
        .int()
        .describe("Taken over from the archive; 0 where it has none, or another embedding model's."),
    }),
    ignored: z.array(z.string()).describe('Entries of the archive that this version does not know.'),
    pending_files: z
      .int()
      .describe('Files that are still being ingested; their status says when they are searchable.'),
  })
  .meta({ id: 'ProjectImport', description: 'A project that was imported from an archive.' });
export type ProjectImport = z.infer<typeof projectImportSchema>;
