/** Texts that are kept at most, by each connection: many times what there is, should one ever be put together anew. */
const MOST_PREPARED = 1_000;
const names = new Map<string, string>();

/**
 * The name under which a connection keeps a statement, so that it is parsed, and as a rule planned, once only; undefined: it is not
 * kept.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `forge_${names.size}`;
  names.set(sql, name);
  return name;
}
