import { type Command, Option } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { table } from '../output.ts';

interface ChangeOptions {
  name?: string;
  contextual?: 'on' | 'off' | 'default';
}

const CHANGE_EXAMPLE = `
Files that are there get or lose their contexts by forge contexts, which says before what that costs.

Example:
  forge projects change roi --contextual on`;

/** @throws CliError when nothing is to be changed */
function changeOf({ name, contextual }: ChangeOptions): { name?: string; contextual?: boolean | null } {
  if (name === undefined && contextual === undefined) {
    throw new CliError(EXIT.usage, 'Say what is to be changed: --name, --contextual.');
  }
  return {
    ...(name !== undefined && { name }),
    ...(contextual !== undefined && { contextual: contextual === 'default' ? null : contextual === 'on' }),
  };
}

/** `forge projects`: list, create, change and delete them. */
export function projectCommands(program: Command, terminal: Terminal): void {
  const projects = program.command('projects').description('List, create, change and delete projects');

  projects
    .command('list', { isDefault: true })
    .description('List the projects')
    .action(async (_options: object, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const all: Schema<'Project'>[] = [];
        for await (const project of api.list('/projects', {})) all.push(project);
        if (out.isJson) for (const project of all) out.json(project);
        else if (all.length === 0) out.line('There are no projects. Create one: forge projects create NAME');
        else {
          const rows = all.map(({ id, name, turn_count, active_mode }) => [
            id,
            turn_count,
            active_mode,
            name,
          ]);
          out.line(table([['id', 'turns', 'mode', 'name'], ...rows], out.width));
        }
      });
    });

  projects
    .command('create')
    .description('Create a project')
    .argument('<name...>', 'for people')
    .option('--id <id>', 'for addresses: small letters, digits and hyphens; made from the name without')
    .addHelpText('after', '\nExample:\n  forge projects create Campaign ROI analysis --id roi')
    .action(async (words: string[], { id }: { id?: string }, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const body = { name: words.join(' '), ...(id !== undefined && { id }) };
        const project = await api.call('post', '/projects', { body });
        if (out.isJson) out.json(project);
        else out.line(project.id);
      });
    });

  projects
    .command('change')
    .description(
      'Change the name of a project, or whether a model writes a context for each leaf of its files',
    )
    .argument('<id>', 'of the project')
    .option('--name <name>', 'for people')
    .addOption(
      new Option(
        '--contextual <what>',
        'for files that come from now on; default: as the service is set',
      ).choices(['on', 'off', 'default']),
    )
    .addHelpText('after', CHANGE_EXAMPLE)
    .action(async (id: string, options: ChangeOptions, command: Command) => {
      const body = changeOf(options);
      await withService({ command, terminal }, async ({ api, out }) => {
        const project = await api.call('patch', '/projects/{project_id}', { path: { project_id: id }, body });
        if (out.isJson) out.json(project);
        else out.line(`${project.id}: changed`);
      });
    });

  projects
    .command('delete')
    .description('Delete a project with its files and its conversation; for good')
    .argument('<id>', 'of the project')
    .action(async (id: string, _options: object, command: Command) => {
      await withService({ command, terminal }, async ({ api, out }) => {
        const deletion = await api.call('delete', '/projects/{project_id}', { path: { project_id: id } });
        if (out.isJson) out.json(deletion);
        else out.line(`${id}: deleted`);
      });
    });
}
