/** The path below which the operations of a project are; null: of the library. */
export const placeOf = (project: string | null): string =>
  project === null ? '/library' : `/projects/${encodeURIComponent(project)}`;
