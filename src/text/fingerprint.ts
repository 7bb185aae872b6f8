const MOST_CHARS = 160;

/** FNV-1a over the first characters of a stretch of text: 32 bits that say whether it is likely the same as before. */
export function fingerprint(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  const stop = Math.min(end, start + MOST_CHARS);
  for (let i = start; i < stop; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
