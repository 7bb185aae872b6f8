/** What a text of SQL is made of, as far as a semicolon may stand in it: strings, quoted names, bodies between dollars, comments. */
const PART =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[a-z_]*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$\-/;]+|[$\-/]/gi;

/** The statements of a text of SQL, each without its semicolon; comments stay with what follows them. */
export function sqlStatements(sql: string): string[] {
  const statements: string[] = [];
  let statement = '';
  let hasCode = false;
  for (const [part] of sql.matchAll(PART)) {
    if (part === ';') {
      if (hasCode) statements.push(statement.trim());
      statement = '';
      hasCode = false;
      continue;
    }
    statement += part;
    hasCode ||= !/^(--|\/\*)/.test(part) && part.trim() !== '';
  }
  if (hasCode) statements.push(statement.trim());
  return statements;
}
