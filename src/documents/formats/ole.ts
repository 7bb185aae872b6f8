const MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Whether bytes are an OLE container: the form of Office files before 2007, and of encrypted ones since. */
export function isOle(bytes: Buffer): boolean {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC);
}

/**
 * Whether an OLE container has a stream of that name; its directory writes names in UTF-16. The search is for bytes: a search
 * for UTF-16 text in a buffer that begins at an odd address never ends in Node 20.
 */
export function hasStream(bytes: Buffer, name: string): boolean {
  return bytes.includes(Buffer.from(name, 'utf16le'));
}

/** Word puts a document that is protected by a password into an OLE container ([MS-OFFCRYPTO] 2.3). */
export function isEncryptedOffice(bytes: Buffer): boolean {
  return isOle(bytes) && hasStream(bytes, 'EncryptedPackage');
}
