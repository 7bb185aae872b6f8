import { z } from 'zod';
import { projectSchema } from './project.ts';
import { kind } from './shared.ts';

/** What an import made. */
export const projectImportSchema = z
  .object({
    object: kind('project_import'),
    project: projectSchema.describe('The project that was made.'),
    imported: z
      .object({
        files: z.int().describe('Files.'),
        versions: z.int().describe('Versions of files.'),
        turns: z.int().describe('Turns.'),
        turn_events: z.int().describe('Events of turns.'),
        turn_summaries: z.int().describe('Summaries of turns.'),
        vectors: z
          .int()
          .describe("Taken over from the archive; 0 where it has none, or another embedding model's."),
      })
      .describe('What was taken over.'),
    ignored: z.array(z.string()).describe('Entries of the archive that this version does not know.'),
    pending_files: z
      .int()
      .describe('Files that are still being ingested; their status says when they are searchable.'),
  })
  .meta({ id: 'ProjectImport', description: 'A project that was imported from an archive.' });
export type ProjectImport = z.infer<typeof projectImportSchema>;
