import { ConnectionError, ForgeError, type Problem } from '../../clients/typescript/src/index.ts';

/** How the command line ends: part of its contract, listed in docs/cli.md. */
export const EXIT = {
  done: 0,
  /** Something that was asked for failed: a file could not be read, a turn failed. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  notFound: 3,
  /** The service refuses: a wrong key, a conflict, a limit. */
  refused: 4,
  /** The service, its database or a provider cannot be reached now; the same command may work later. */
  unavailable: 5,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure in words for whoever typed the command, with the code that it ends with. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

function exitCodeOf({ status, retryable }: Pick<Problem, 'status' | 'retryable'>): ExitCode {
  if (status === 404) return EXIT.notFound;
  return status >= 500 || retryable ? EXIT.unavailable : EXIT.refused;
}

/** What the service says is wrong, with the fields that are. */
export function problemError(
  problem: Pick<Problem, 'status' | 'retryable' | 'detail' | 'code' | 'errors'>,
): CliError {
  const fields = (problem.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
  return new CliError(exitCodeOf(problem), `${problem.detail}${fields.join('')} (${problem.code})`);
}

/** A failure of the client in words for whoever typed the command; any other error as it is. */
export function asCliError(error: unknown): unknown {
  if (error instanceof ConnectionError) return new CliError(EXIT.unavailable, error.message, error);
  if (!(error instanceof ForgeError)) return error;
  if (!error.isForeign) return problemError(error.problem);
  return new CliError(
    EXIT.unavailable,
    `${error.message} Is FORGE_URL the address of a Forge service?`,
    error,
  );
}
