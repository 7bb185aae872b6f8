import { CommanderError } from 'commander';
import type { Terminal } from './context.ts';
import { asCliError, CliError, EXIT } from './exit.ts';
import { plain } from './output.ts';
import { createProgram } from './program.ts';

/**
 * Carries out one command line.
 *
 * @param args without the name of the program
 * @returns the code to end with; what went wrong is on the error channel by then
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (thrown) {
    const error = asCliError(thrown);
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted;
    terminal.stderr.write(`forge: ${plain(error instanceof Error ? error.message : String(error))}\n`);
    return error instanceof CliError ? error.exitCode : EXIT.failed;
  }
}
