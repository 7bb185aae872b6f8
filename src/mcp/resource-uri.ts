import { type ArtifactName, artifactNameSchema } from '../contract/artifact.ts';
import { libraryScope, type Principal, type Scope, sourceOf } from '../scope.ts';
import { scopeOfProject } from './connection.ts';

/** What a URI of ours stands for. */
export type ResourceName =
  | { kind: 'file' | 'outline'; scope: Scope; file: string }
  | { kind: 'artifact'; scope: Scope; artifact: ArtifactName };

const SCHEME = 'forge://';

/** The templates of all URIs there are. */
export const URI_TEMPLATES = {
  file: `${SCHEME}projects/{project}/files/{name}`,
  outline: `${SCHEME}projects/{project}/files/{name}/outline`,
  artifact: `${SCHEME}projects/{project}/artifacts/{artifact}`,
  libraryFile: `${SCHEME}library/files/{name}`,
  libraryOutline: `${SCHEME}library/files/{name}/outline`,
} as const;

const placeUri = (scope: Scope): string =>
  sourceOf(scope) === 'library' ? `${SCHEME}library` : `${SCHEME}projects/${scope.projectId}`;

export function uriOf(name: ResourceName): string {
  const place = placeUri(name.scope);
  if (name.kind === 'artifact') return `${place}/artifacts/${name.artifact}`;
  return `${place}/files/${encodeURIComponent(name.file)}${name.kind === 'outline' ? '/outline' : ''}`;
}

function decoded(parts: string[]): string[] | null {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return null;
  }
}

/**
 * What a URI stands for in the client's workspace; null where it is none of ours.
 *
 * @throws AppError `project_not_found` for an id that no project can have
 */
export function parseUri(principal: Principal, uri: string): ResourceName | null {
  const parts = uri.startsWith(SCHEME) ? decoded(uri.slice(SCHEME.length).split('/')) : null;
  if (!parts) return null;
  if (parts[0] === 'library') return inPlace(libraryScope(principal.workspaceId), parts.slice(1));
  const [root, project = '', ...rest] = parts;
  return root === 'projects' ? inPlace(scopeOfProject(principal, project), rest) : null;
}

function inPlace(scope: Scope, [kind, name = '', view, ...more]: string[]): ResourceName | null {
  if (more.length > 0 || name === '') return null;
  if (kind === 'files' && (view === undefined || view === 'outline')) {
    return { kind: view ?? 'file', scope, file: name };
  }
  const artifact = artifactNameSchema.safeParse(name).data;
  const isArtifact = kind === 'artifacts' && view === undefined && sourceOf(scope) === 'project';
  return isArtifact && artifact ? { kind: 'artifact', scope, artifact } : null;
}
