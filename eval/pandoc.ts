import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const program = process.env.PANDOC ?? 'pandoc';

/** The version of the pandoc that `PANDOC` names, or that is on the path; undefined where there is none. */
export async function pandocVersion(): Promise<string | undefined> {
  const answer = await execute(program, ['--version']).catch(() => undefined);
  return /^pandoc\S*\s+(\S+)/.exec(answer?.stdout ?? '')?.[1];
}

/** What pandoc makes of a Word file: GitHub's Markdown, or nothing where it fails. */
export async function convertWithPandoc(file: string): Promise<string> {
  const options = ['--from=docx', '--to=gfm', '--wrap=none', '--sandbox', file];
  const answer = await execute(program, options, { maxBuffer: 64_000_000, timeout: 60_000 }).catch(
    () => undefined,
  );
  return answer?.stdout ?? '';
}
