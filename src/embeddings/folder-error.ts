/** An encoder's folder that cannot be used; the message says why and what to do. */
export class EncoderFolderError extends Error {
  constructor(folder: string, problem: string) {
    super(`The sentence encoder in ${folder} cannot be used: ${problem}`);
    this.name = 'EncoderFolderError';
  }
}
