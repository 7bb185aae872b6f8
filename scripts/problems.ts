// `npm run problems`: the table of all problems in docs/guides/errors.md, from the service's own list and the recorded examples.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { ERROR_CODES, type ErrorCode } from '../src/errors.ts';
import { STATUS_OF } from '../src/routes/plumbing/problems.ts';

const PAGE = 'docs/guides/errors.md';
const TABLE = /(<!-- problems -->\n)[\s\S]*?(<!-- \/problems -->)/;

const cell = (text: string): string => text.replace(/[\\|<>]/g, '\\$&').replace(/\s+/g, ' ');

/** The page with the table as it is now. */
export async function withProblems(page: string): Promise<string> {
  const { problems } = JSON.parse(await readFile('openapi/examples.json', 'utf8')) as {
    problems: Partial<Record<ErrorCode, { detail: string }>>;
  };
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).sort(
    (a, b) => STATUS_OF[a] - STATUS_OF[b] || (a < b ? -1 : 1),
  );
  const rows = codes.map((code) => {
    const { title, retryable } = ERROR_CODES[code];
    const said = problems[code]?.detail ?? '';
    // what only repeats the meaning says nothing
    const instance = said === `${title}.` ? '' : cell(said);
    return `| ${STATUS_OF[code]} | \`${code}\` | ${cell(title)} | ${retryable ? 'yes' : 'no'} | ${instance} |`;
  });
  const table = [
    '| status | code | what it means | again | for instance |',
    '| --- | --- | --- | --- | --- |',
  ];
  return page.replace(TABLE, (_, start, end) => `${start}${[...table, ...rows].join('\n')}\n${end}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(PAGE, await withProblems(await readFile(PAGE, 'utf8')));
}
