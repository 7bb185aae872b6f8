import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.ts';

/** A command line carried out in this process, with what it wrote and the code it ended with. */
export async function runForge(
  args: readonly string[],
  {
    url,
    input = '',
    settings = {},
    onOutput,
  }: {
    url?: string;
    input?: string;
    /** Of the environment. */
    settings?: Record<string, string>;
    onOutput?: (text: string, stop: () => void) => void;
  },
) {
  let stop = (): void => undefined;
  const collected = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof collected) => {
    const stream = new PassThrough();
    stream.on('data', (chunk: Buffer) => {
      collected[name] += chunk.toString('utf8');
      onOutput?.(collected[name], stop);
    });
    return stream;
  };
  const code = await runCommandLine(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    environment: { ...(url !== undefined && { FORGE_URL: url }), ...settings },
    onInterrupt(interrupt) {
      stop = interrupt;
      return () => undefined;
    },
  });
  return {
    code,
    ...collected,
    json: () =>
      collected.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}
