import type { Outline } from '../../documents/outline/outline.ts';

/** Nodes held in memory over all outlines: some 40 MB at worst. */
const MOST_NODES = 100_000;

/**
 * Outlines read lately. Keys name the version and the digest of what is stored, so that a hit is never out of date; the
 * one not used for longest goes first.
 */
export function createOutlineCache(mostNodes = MOST_NODES) {
  // a Map keeps the order of insertion
  const outlines = new Map<string, Outline>();
  let nodes = 0;
  const weigh = (outline: Outline): number => outline.nodes.length + 1;

  return {
    get(key: string): Outline | undefined {
      const outline = outlines.get(key);
      if (outline) {
        outlines.delete(key);
        outlines.set(key, outline);
      }
      return outline;
    },
    set(key: string, outline: Outline): void {
      if (outlines.has(key) || weigh(outline) > mostNodes) return;
      outlines.set(key, outline);
      nodes += weigh(outline);
      for (const [oldest, { nodes: held }] of outlines) {
        if (nodes <= mostNodes) break;
        outlines.delete(oldest);
        nodes -= held.length + 1;
      }
    },
  };
}
