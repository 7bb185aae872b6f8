/** Which files a search looks at; an empty list lets all through. */
export interface FileFilter {
  filenames: readonly string[];
  mediaTypes: readonly string[];
}

/** Which leaves: those of some files, under headings that their header path starts with. */
export interface LeafFilter extends FileFilter {
  headerPath: readonly string[];
}

export const letsAllThrough = ({ filenames, mediaTypes }: FileFilter): boolean =>
  filenames.length + mediaTypes.length === 0;

/** SQL that keeps the files (alias `f`) that the filter names; takes the two parameters of `fileFilterParams`. */
export function fileFilterSql(first: number): string {
  const [names, types] = [`$${first}::text[]`, `$${first + 1}::text[]`];
  return `f.searchable_version is not null
    and (cardinality(${names}) = 0 or f.name = any(${names}))
    and (cardinality(${types}) = 0 or f.media_type = any(${types}))`;
}

export function fileFilterParams(filter: FileFilter): [readonly string[], readonly string[]] {
  return [filter.filenames, filter.mediaTypes];
}

/** SQL that keeps the leaves (alias `l`) whose header path starts with the parameter's headings. */
export function headerFilterSql(parameter: number): string {
  return `l.header_path[1:cardinality($${parameter}::text[])] = $${parameter}::text[]`;
}
