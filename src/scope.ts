/** Whose data: the first two columns of every key. */
export interface Scope {
  workspaceId: string;
  projectId: string;
}

/** The workspace that there always is: whoever needs no key works in it. */
export const DEFAULT_WORKSPACE = 'default';

/** What a caller may be allowed, from the least to the most; each holds those before it. `service` is over all workspaces. */
export const ACCESS_SCOPES = ['read', 'write', 'admin', 'service'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** Requests a minute that a key may send, all and expensive ones; 0: as many as it likes, null: as the service is set. */
export interface RateLimits {
  requests: number | null;
  expensive: number | null;
}

/** Who calls, however that was found out. */
export interface Principal {
  /** The workspace whose data there are for it; all others do not exist. */
  workspaceId: string;
  /** What it is allowed. */
  scopes: readonly AccessScope[];
  /** The API key that it came with; null: it needed none, or has shown something else. */
  keyId: string | null;
  /** What its requests are counted as, against limits of a minute; null: it has none. */
  limitedAs: string | null;
  /** The same with each of its requests, and nobody else's in the workspace: what belongs to a caller is kept under it. */
  caller: string;
  /** What people call it. */
  name: string;
  /** The limits of its own that its key has; null: it has none. */
  rateLimits: RateLimits | null;
}

/** Whoever calls where no key is asked for. */
export const OPEN_PRINCIPAL: Principal = {
  workspaceId: DEFAULT_WORKSPACE,
  scopes: ['service'],
  keyId: null,
  limitedAs: null,
  caller: 'open',
  name: 'anyone',
  rateLimits: null,
};

/** Whether a caller may do what needs a scope: a higher one holds it. */
export const allows = ({ scopes }: Principal, needed: AccessScope): boolean =>
  scopes.some((scope) => ACCESS_SCOPES.indexOf(scope) >= ACCESS_SCOPES.indexOf(needed));

/** The library's place among the projects; no project can have it, since an id begins with a letter or a digit. */
const LIBRARY_ID = '_library';

/** Where a document can be: in the project itself, or in the library that all projects of its workspace share. */
export const SOURCES = ['project', 'library'] as const;
export type Source = (typeof SOURCES)[number];

/** The library that all projects of a workspace share. */
export const libraryScope = (workspaceId: string): Scope => ({ workspaceId, projectId: LIBRARY_ID });

/** Which of the two a scope is. */
export const sourceOf = ({ projectId }: Pick<Scope, 'projectId'>): Source =>
  projectId === LIBRARY_ID ? 'library' : 'project';

/** Where the documents of a source are, seen from a project; from the library, all are its own. */
export const scopeOfSource = (scope: Scope, source: Source): Scope =>
  source === 'library' ? libraryScope(scope.workspaceId) : scope;

/** The address below which what belongs to a scope is found. */
export const pathOf = (scope: Scope): string =>
  sourceOf(scope) === 'library' ? '/library' : `/projects/${encodeURIComponent(scope.projectId)}`;

/** What a scope is called in a sentence. */
export const nameOf = (scope: Scope): string =>
  sourceOf(scope) === 'library' ? 'the library' : 'this project';
/** What the id of a project is: 1 to 64 of a-z, 0-9 and -, not starting or ending with -. */
export const PROJECT_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
