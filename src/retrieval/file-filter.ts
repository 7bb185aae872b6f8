import type { DocumentFilters } from './passage.ts';

/** SQL that keeps the files (alias `f`) that the filters name; takes the two parameters of `fileFilterParams`. */
export function fileFilterSql(first: number): string {
  const [names, types] = [`$${first}::text[]`, `$${first + 1}::text[]`];
  return `f.searchable_version is not null
    and (cardinality(${names}) = 0 or f.name = any(${names}))
    and (cardinality(${types}) = 0 or f.media_type = any(${types}))`;
}

export function fileFilterParams(filters: DocumentFilters): [string[], string[]] {
  return [filters.filenames, filters.mediaTypes];
}

/** SQL that keeps the leaves (alias `l`) whose header path starts with the parameter's headings. */
export function headerFilterSql(parameter: number): string {
  return `l.header_path[1:cardinality($${parameter}::text[])] = $${parameter}::text[]`;
}
