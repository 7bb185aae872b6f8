/** Whose data: the first two columns of every key. */
export interface Scope {
  workspaceId: string;
  projectId: string;
}

/** The one workspace there is until API keys name others. */
export const DEFAULT_WORKSPACE = 'default';
