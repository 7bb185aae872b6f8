import type { Figures } from '../../telemetry/metrics/figures.ts';
import type { OutlineCounts, OutlineTelemetry } from '../outlines/telemetry.ts';

const OUTLINE_COUNTERS: Record<keyof OutlineCounts, { name: string; help: string }> = {
  builds: { name: 'forge_outline_builds_total', help: 'Outlines made with a version.' },
  rebuilds: {
    name: 'forge_outline_rebuilds_total',
    help: 'Outlines made again because the stored one did not fit.',
  },
  hits: { name: 'forge_outline_cache_hits_total', help: 'Outlines read from memory.' },
  misses: {
    name: 'forge_outline_cache_misses_total',
    help: 'Outlines that had to be read from the database.',
  },
  staleHits: {
    name: 'forge_outline_stale_hits_total',
    help: 'Reads of a document that has a newer version under way.',
  },
  notModified: { name: 'forge_outline_not_modified_total', help: 'Outlines that the client had already.' },
  tokensSaved: {
    name: 'forge_outline_tokens_saved_total',
    help: 'Tokens of the documents less those that were sent in their place.',
  },
  providerErrors: {
    name: 'forge_outline_provider_errors_total',
    help: 'Section searches that had to do without an embedding.',
  },
};

/** What is counted about outlines. */
export function addOutlineFigures(figures: Figures, outlines: OutlineTelemetry): void {
  for (const [key, { name, help }] of Object.entries(OUTLINE_COUNTERS)) {
    figures.counter({ name, help, read: () => [{ value: outlines.read()[key as keyof OutlineCounts] }] });
  }
  figures.gauge({
    name: 'forge_outline_cache_hit_ratio',
    help: 'Share of the outlines read that came from memory.',
    read: () => {
      const { hits, misses } = outlines.read();
      return [{ value: hits + misses === 0 ? 0 : hits / (hits + misses) }];
    },
  });
}
