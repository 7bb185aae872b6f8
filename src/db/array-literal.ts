/**
 * A text array as one parameter (`{"a","b"}`): `unnest` flattens arrays of arrays, so a bulk insert of a `text[]`
 * column sends literals and casts each.
 */
export function textArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
