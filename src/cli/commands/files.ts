import { type Command, Option } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type FileStatus, fileStatusSchema } from '../../contract/file.ts';
import { type Terminal, withService } from '../context.ts';
import { table } from '../output.ts';
import { libraryOption, type PlaceOptions, placeOf, projectOption } from '../place.ts';
import { wholeNumber } from './search.ts';

/** `forge list`, `forge delete`, `forge outline`: what is stored. */
export function fileCommands(program: Command, terminal: Terminal): void {
  listCommand(program, terminal);
  deleteCommand(program, terminal);
  outlineCommand(program, terminal);
}

function listCommand(program: Command, terminal: Terminal): void {
  program
    .command('list')
    .description('List the files of a project, or of the library')
    .addOption(projectOption())
    .addOption(libraryOption())
    .addOption(new Option('--status <status>', 'only those').choices(fileStatusSchema.options))
    .addHelpText(
      'after',
      '\nExamples:\n  forge list --project roi\n  forge list --library --status failed --json',
    )
    .action(async (options: PlaceOptions & { status?: FileStatus }, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const files: Schema<'StoredFile'>[] = [];
        const { at, path } = placeOf(options);
        const query = options.status === undefined ? {} : { status: options.status };
        for await (const file of api.list(`${at}/files`, { path, query })) files.push(file);
        if (out.isJson) for (const file of files) out.json(file);
        else if (files.length === 0) out.line('There are no files.');
        else out.line(fileTable(files, out.width));
      });
    });
}

const fileTable = (files: readonly Schema<'StoredFile'>[], width: number): string =>
  table(
    [
      ['name', 'status', 'version', 'leaves', 'tokens', 'summary'],
      ...files.map(({ name, status, version, chunk_count, token_estimate, summary, last_error }) => [
        name,
        status,
        version,
        chunk_count,
        token_estimate,
        last_error?.message ?? summary ?? '',
      ]),
    ],
    width,
  );

function deleteCommand(program: Command, terminal: Terminal): void {
  program
    .command('delete')
    .description('Delete files with all their versions; for good')
    .argument('<names...>', 'as they are listed')
    .addOption(projectOption())
    .addOption(libraryOption())
    .addHelpText('after', '\nExample:\n  forge delete old-plan.docx --project roi')
    .action(async (names: string[], options: PlaceOptions, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const { at, path } = placeOf(options);
        for (const name of names) {
          const deletion = await api.call('delete', `${at}/files/{name}`, { path: { ...path, name } });
          if (out.isJson) out.json(deletion);
          else out.line(`${name}: deleted`);
        }
      });
    });
}

function outlineCommand(program: Command, terminal: Terminal): void {
  program
    .command('outline')
    .description("Show a document's headings, their sizes and the pointers that read them")
    .argument('<name>', 'as it is listed')
    .addOption(projectOption())
    .addOption(libraryOption())
    .option('--levels <count>', 'only so many levels from the top', wholeNumber)
    .addHelpText('after', '\nExample:\n  forge outline handbook.md --library --levels 2')
    .action(async (name: string, options: PlaceOptions & { levels?: number }, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const { at, path } = placeOf(options);
        const query = options.levels === undefined ? {} : { levels: options.levels };
        const outline = await api.call('get', `${at}/files/{name}/outline`, {
          path: { ...path, name },
          query,
        });
        if (out.isJson) return out.json(outline);
        out.line(`${outline.filename}: ${outline.state}, ${outline.token_estimate} tokens`);
        if (outline.detail !== null) out.line(outline.detail);
        for (const line of outlineLines(outline)) out.line(line);
      });
    });
}

/** A heading a line, each under the one that it belongs to. */
function outlineLines({ nodes }: Schema<'Outline'>): string[] {
  const depths = new Map<string, number>();
  return nodes.map(({ id, parent_id: parent, text, token_estimate: tokens, pointer_id: pointer }) => {
    const depth = parent === null ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${text}  (${tokens} tokens)  ${pointer}`;
  });
}
