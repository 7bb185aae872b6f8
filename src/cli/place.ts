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

/** Where the operations of a place are, as the contract has their paths. */
interface Place {
  at: '/library' | '/projects/{project_id}';
  /** Of the project; null: the library. */
  project: string | null;
  /** What fills the paths; those of the library have no use for it. */
  path: { project_id: string };
}

/** The library, unless a project is named. */
export const placeOf = ({ project, library }: PlaceOptions): Place =>
  library || project === undefined
    ? { at: '/library', project: null, path: { project_id: '' } }
    : { at: '/projects/{project_id}', project, path: { project_id: project } };

/** @throws CliError when no project is named */
export function projectOf({ project }: Pick<PlaceOptions, 'project'>): string {
  if (project !== undefined) return project;
  throw new CliError(EXIT.usage, 'Name the project: --project ID, or FORGE_PROJECT=ID.');
}
