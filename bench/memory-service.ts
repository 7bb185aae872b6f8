import { withBenchDatabase } from './bench-database.ts';
import { startService } from './bench-service.ts';
import { stubModel } from './stub-model.ts';

// The service in a process of its own, whose memory is what is measured: it tells where it listens and, when asked, how
// much memory it has and had at most since it was asked before.

const SAMPLE_MS = 5;

/** What the process answers: first its address, then its resident memory in bytes. */
export type MemoryReply = { base: string } | { now: number; peak: number };

const server = process.argv[2];

await withBenchDatabase(server, async (db) => {
  const service = await startService(db, {}, { embeddingModel: stubModel() });
  let peak = 0;
  const rss = () => process.memoryUsage.rss();
  const sampling = setInterval(() => {
    peak = Math.max(peak, rss());
  }, SAMPLE_MS);
  process.on('message', () => {
    const now = rss();
    process.send?.({ now, peak: Math.max(peak, now) } satisfies MemoryReply);
    peak = now;
  });
  process.send?.({ base: service.base } satisfies MemoryReply);
  await new Promise((resolve) => process.once('disconnect', resolve));
  clearInterval(sampling);
  await service.close();
});
