/** Another version, name or set of contexts is searched than was read: what is done with the file begins anew. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged';

  constructor() {
    super('the file changed while its contexts were written');
  }
}
