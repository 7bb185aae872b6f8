/**
 * The end of an `insert ... select` of rows that are given as lists: the project that they belong to, by `$1` and `$2`, as `owner`. On a
 * cluster what is taken from a row of its node is stored there at once; rows that come with their ids alone go by way of the
 * coordinator.
 */
export const OWNER = 'projects owner where owner.workspace_id = $1 and owner.project_id = $2';
/** What such a statement selects for workspace and project. */
export const OWNER_IDS = 'owner.workspace_id, owner.project_id';
