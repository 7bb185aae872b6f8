/** A model's folder that cannot be used; the message says why and what to do. */
export class EncoderFolderError extends Error {
  readonly problem: string;

  constructor(folder: string, problem: string, what = 'sentence encoder') {
    super(`The ${what} in ${folder} cannot be used: ${problem}`);
    this.problem = problem;
    this.name = 'EncoderFolderError';
  }
}
