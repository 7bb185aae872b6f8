import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const program = process.env.MARKITDOWN ?? 'markitdown';

/** The version of the MarkItDown that `MARKITDOWN` names, or that is on the path; undefined where there is none. */
export async function markItDownVersion(): Promise<string | undefined> {
  const answer = await execute(program, ['--version']).catch(() => undefined);
  return /(\d+\.\d+\.\S+)/.exec(answer?.stdout ?? '')?.[1];
}

/** What MarkItDown makes of a file, or nothing where it fails. */
export async function convertWithMarkItDown(file: string): Promise<string> {
  const answer = await execute(program, [file], { maxBuffer: 64_000_000, timeout: 60_000 }).catch(
    () => undefined,
  );
  return answer?.stdout ?? '';
}
