/**
 * How many pictures a PDF holds. The dictionary of a stream is never compressed, so that counting needs no decoding;
 * a mask is a picture of its own in the file, but none for a reader.
 */
export function countImages(bytes: Uint8Array): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const masks = new Set(source.match(/\/SMask\s+\d{1,10}\s+\d{1,5}\s+R/g));
  const images = source.match(/\/Subtype\s*\/Image\b/g)?.length ?? 0;
  return Math.max(0, images - masks.size);
}
