import type { Command } from 'commander';
import { type Connection, connect } from './connection.ts';
import { createOutput, type Output, type Streams } from './output.ts';

/** What the command line has of the process: a test has streams and settings of its own. */
export interface Terminal extends Streams {
  stdin: NodeJS.ReadStream | NodeJS.ReadableStream;
  environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  onInterrupt(stop: () => void): () => void;
}

/** What a command works with. */
export interface CommandContext extends Connection {
  out: Output;
  terminal: Terminal;
  /** Aborted by Ctrl-C, the first one; the second ends the process. */
  signal: AbortSignal;
}

/** A command of the line being carried out. */
export interface Invocation {
  command: Command;
  terminal: Terminal;
}

export const outputOf = ({ command, terminal }: Invocation): Output =>
  createOutput(terminal, command.optsWithGlobals().json === true);

/** Connects, does the work, and disconnects whatever becomes of it. */
export async function withService<T>(
  invocation: Invocation,
  work: (context: CommandContext) => Promise<T>,
  { withJobs = false }: { withJobs?: boolean } = {},
): Promise<T> {
  const { terminal } = invocation;
  const out = outputOf(invocation);
  const controller = new AbortController();
  const release = terminal.onInterrupt(() => controller.abort());
  try {
    const connection = await connect(terminal.environment, { withJobs });
    try {
      return await work({ ...connection, out, terminal, signal: controller.signal });
    } finally {
      await connection.close();
    }
  } finally {
    release();
  }
}
