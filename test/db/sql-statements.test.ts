import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sqlStatements } from '../../src/db/sql-statements.ts';
import { packageRoot } from '../../src/package-root.ts';

it('are apart at the semicolons that end them, and at no others', () => {
  const body = "create function f() returns text language plpgsql as $$ begin return 'a;b'; end $$";
  const text = `-- first; of all
    ${body};
    insert into t values ('it''s; here', $1 - 2 / 1); /* ; */ comment on table "a;b" is 'x' ;
    -- nothing follows;`;
  expect(sqlStatements(text)).toEqual([
    `-- first; of all\n    ${body}`,
    "insert into t values ('it''s; here', $1 - 2 / 1)",
    '/* ; */ comment on table "a;b" is \'x\'',
  ]);
  expect(sqlStatements('')).toEqual([]);
});

it('of each migration begin with a command, and nothing of the text is lost', () => {
  const folder = join(packageRoot, 'migrations');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const statements = sqlStatements(text);
    const bare = (sql: string) => sql.replace(/--[^\n]*/g, '').replace(/[\s;]+/g, '');
    expect([name, bare(statements.join(';'))]).toEqual([name, bare(text)]);
    for (const statement of statements) {
      expect(statement.replace(/--[^\n]*\n/g, '').trim()).toMatch(
        /^(create|alter|drop|insert|update|delete|select|set|with|comment|do|grant|revoke|analyze)\b/i,
      );
    }
  }
});
