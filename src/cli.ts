#!/usr/bin/env node
import { runCommandLine } from './cli/run.ts';

// What ends the reader (`forge list | head -1`) is no failure of the command; a full disk is.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    if (stream === process.stdout)
      process.stderr.write(`forge: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  onInterrupt(stop) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    };
  },
});
