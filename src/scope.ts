/** Whose data: the first two columns of every key. */
export interface Scope {
  workspaceId: string;
  projectId: string;
}

/** The one workspace there is until API keys name others. */
export const DEFAULT_WORKSPACE = 'default';

/** What the id of a project is: 1 to 64 of a-z, 0-9 and -, not starting or ending with -. */
export const PROJECT_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
