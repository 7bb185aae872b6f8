/** The command line asks for something that is not there; the message says what, and what is there. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
