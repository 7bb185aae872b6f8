import { Option } from 'commander';
import { CliError, EXIT } from './exit.ts';

/** Options that say whose files: a project's, or the library's. */
export interface PlaceOptions {
  project?: string;
  library?: boolean;
}

export const projectOption = () =>
  new Option('-p, --project <id>', 'the project').env('FORGE_PROJECT').conflicts('library');
export const libraryOption = () => new Option('--library', 'the library that all projects share');

const pathOfProject = (id: string): string => `/projects/${encodeURIComponent(id)}`;

/** The path below which a place's operations are: the library's, unless a project is named. */
export const placePath = ({ project, library }: PlaceOptions): string =>
  library || project === undefined ? '/library' : pathOfProject(project);

/** @throws CliError when no project is named */
export function projectPath({ project }: Pick<PlaceOptions, 'project'>): string {
  if (project !== undefined) return pathOfProject(project);
  throw new CliError(EXIT.usage, 'Name the project: --project ID, or FORGE_PROJECT=ID.');
}
