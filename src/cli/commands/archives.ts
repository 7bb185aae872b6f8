import { openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { type PlaceOptions, projectOf, projectOption } from '../place.ts';
import { bodyOf, saveFile } from '../save-file.ts';

/** `forge export` and `forge import`: a project as one file. */
export function archiveCommands(program: Command, terminal: Terminal): void {
  exportCommand(program, terminal);
  importCommand(program, terminal);
}

function exportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('Write a project into one archive: originals, Markdown, state, turns with receipts, vectors')
    .argument('[archive]', 'the file to write; ID.zip without')
    .addOption(projectOption())
    .option('--no-vectors', 'leave the vectors out')
    .addHelpText('after', '\nExample:\n  forge export roi-backup.zip --project roi')
    .action(
      async (archive: string | undefined, options: PlaceOptions & { vectors: boolean }, command: Command) => {
        const project = projectOf(options);
        const path = archive ?? `${project}.zip`;
        await withService({ command, terminal }, async ({ api, out, signal }) => {
          const response = await api.send('get', '/projects/{project_id}/export', {
            path: { project_id: project },
            query: { vectors: options.vectors },
            signal,
          });
          const bytes = await saveFile(bodyOf(response), path, { signal });
          if (out.isJson) out.json({ object: 'archive', path, bytes });
          else out.line(`${path}: ${bytes} bytes`);
        });
      },
    );
}

interface ImportOptions {
  id?: string;
  name?: string;
  onConflict?: 'error' | 'rename';
}

function importCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('Make a project of an archive that `forge export` wrote')
    .argument('<archive>', 'the file')
    .option('--id <id>', "of the new project; the archive's own without")
    .option('--name <name>', 'for people')
    .addOption(
      new Option('--on-conflict <what>', 'when there is a project of the id').choices(['error', 'rename']),
    )
    .addHelpText('after', '\nExample:\n  forge import roi-backup.zip --id roi-2')
    .action(async (archive: string, options: ImportOptions, command: Command) => {
      // a blob of a file that is not there is found out late, and without a word
      const body = await access(archive)
        .then(() => openAsBlob(archive, { type: 'application/zip' }))
        .catch((error: NodeJS.ErrnoException) => {
          throw new CliError(EXIT.usage, `${archive} cannot be read: ${error.code ?? error.message}`, error);
        });
      const { id, name, onConflict } = options;
      const query = {
        ...(id !== undefined && { id }),
        ...(name !== undefined && { name }),
        ...(onConflict !== undefined && { on_conflict: onConflict }),
      };
      await withService(
        { command, terminal },
        async ({ api, out, signal }) => {
          const imported = await api.call('post', '/projects:import', { query, body, signal });
          if (out.isJson) return out.json(imported);
          out.line(imported.project.id);
          out.note(
            `${imported.imported.files} files, ${imported.imported.turns} turns; ${imported.pending_files} files are being read still`,
          );
        },
        { withJobs: true },
      );
    });
}
