const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** Names stand before each entry and again in the directory at the end: what is between need not be read. */
const LOOKED_AT = 1_000_000;

/**
 * Whether bytes are a zip archive in which one of these texts stands. The name of an entry stands in clear text, so that
 * even a truncated archive tells what it was.
 */
export function zipMentions(bytes: Buffer, ...texts: string[]): boolean {
  if (!bytes.subarray(0, ZIP.length).equals(ZIP)) return false;
  const ends = [bytes.subarray(0, LOOKED_AT), bytes.subarray(-LOOKED_AT)];
  return texts.some((text) => ends.some((end) => end.includes(text, 0, 'latin1')));
}
