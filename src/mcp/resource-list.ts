import type { Resource } from '@modelcontextprotocol/sdk/types.js';
import type { File } from '../contract/file.ts';
import { AppError } from '../errors.ts';
import { libraryScope, type Scope } from '../scope.ts';
import type { Services } from '../services/services.ts';
import { type McpConnection, scopeOfProject } from './connection.ts';
import { uriOf } from './resource-uri.ts';

/** Files that a page reads, at most; each stands there with its outline. */
const PAGE_FILES = 50;
/** Projects that a page passes, at most: many may have no files. */
const PAGE_PROJECTS = 20;

/** Where a page ends: before this place or within its files; the library comes first, then the projects as they were made. */
interface Position {
  /** Null: the library. */
  project: string | null;
  /** The cursor of its last file that was listed; null: nothing of it was. */
  file: string | null;
  /** The cursor of the project in the list of projects; null before the first. */
  after: string | null;
}

const START: Position = { project: null, file: null, after: null };

const encoded = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws AppError `invalid_cursor` */
function decoded(cursor: string | undefined): Position {
  if (cursor === undefined) return START;
  try {
    const { project, file, after } = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    ) as Position;
    const isText = (value: unknown): boolean => value === null || typeof value === 'string';
    if (isText(project) && isText(file) && isText(after)) return { project, file, after };
  } catch {
    // said below
  }
  throw new AppError('invalid_cursor', { detail: 'The cursor is not a nextCursor of resources/list.' });
}

function fileResources(scope: Scope, file: File): Resource[] {
  // nothing can be read of a file before its first version is searchable
  if (file.searchable_version === null) return [];
  const annotations = { lastModified: file.updated_at };
  const of = { scope, file: file.name };
  return [
    {
      uri: uriOf({ kind: 'file', ...of }),
      name: file.name,
      ...(file.summary !== null && { description: file.summary }),
      mimeType: 'text/markdown',
      annotations: { ...annotations, priority: 1 },
    },
    {
      uri: uriOf({ kind: 'outline', ...of }),
      name: `Outline of ${file.name}`,
      mimeType: 'application/json',
      annotations: { ...annotations, priority: 0.5 },
    },
  ];
}

async function artifactResources({ artifacts }: Services, scope: Scope): Promise<Resource[]> {
  return (await artifacts.list(scope)).map(({ name, title }) => ({
    uri: uriOf({ kind: 'artifact', scope, artifact: name }),
    name: `${title} of ${scope.projectId}`,
    description: "Rendered from the project's state.",
    mimeType: 'text/markdown',
    annotations: { priority: 0.7 },
  }));
}

/** The place after this one; null after the last. */
async function nextPlace(
  { services, principal, project }: McpConnection,
  at: Position,
): Promise<Position | null> {
  if (project !== null) return at.project === null ? { project, file: null, after: null } : null;
  const page = { limit: 1, order: 'asc' as const, ...(at.after !== null && { after: at.after }) };
  const { data, last_id } = await services.projects.list(principal.workspaceId, page);
  return data[0] ? { project: data[0].id, file: null, after: last_id } : null;
}

/**
 * A page of everything that can be read: the library's files, then artifacts and files of each project, or of the one that
 * the connection is bound to.
 *
 * @throws AppError `invalid_cursor`
 */
export async function listResources(
  connection: McpConnection,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const { services, principal } = connection;
  const resources: Resource[] = [];
  let left = PAGE_FILES;
  let at: Position | null = decoded(cursor);
  for (let places = 0; at !== null; places += 1) {
    if (left === 0 || places > PAGE_PROJECTS) return { resources, nextCursor: encoded(at) };
    const scope: Scope =
      at.project === null ? libraryScope(principal.workspaceId) : scopeOfProject(principal, at.project);
    try {
      if (at.project !== null && at.file === null)
        resources.push(...(await artifactResources(services, scope)));
      const page = { limit: left, order: 'asc' as const, ...(at.file !== null && { after: at.file }) };
      const { data, has_more, last_id } = await services.files.list(scope, page);
      resources.push(...data.flatMap((file) => fileResources(scope, file)));
      left -= data.length;
      if (has_more) {
        at = { ...at, file: last_id };
        continue;
      }
    } catch (error) {
      // a project may have been deleted since the page before
      if (!(error instanceof AppError) || error.code !== 'project_not_found') throw error;
    }
    at = await nextPlace(connection, at);
  }
  return { resources };
}
