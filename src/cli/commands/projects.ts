import type { Command } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type Terminal, withService } from '../context.ts';
import { table } from '../output.ts';

/** `forge projects`: list, create and delete them. */
export function projectCommands(program: Command, terminal: Terminal): void {
  const projects = program.command('projects').description('List, create and delete projects');

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
