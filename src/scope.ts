/** Whose data: the first two columns of every key. */
export interface Scope {
  workspaceId: string;
  projectId: string;
}

/** The one workspace there is until API keys name others. */
export const DEFAULT_WORKSPACE = 'default';

/** The library's place among the projects; no project can have it, since an id begins with a letter or a digit. */
const LIBRARY_ID = '_library';

/** The library that all projects of a workspace share. */
export const libraryScope = (workspaceId: string): Scope => ({ workspaceId, projectId: LIBRARY_ID });
