/** A newer upload took the version's place, or the run was cancelled, or the file deleted: nothing is left to do. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
