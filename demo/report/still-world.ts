/**
 * Runs `work` while the clock stands still and chance repeats itself: the writer of .docx files stamps times and random
 * ids into them, and the demo's files should not change when nothing in them did.
 */
export async function inStillWorld<T>(time: string, work: () => Promise<T>): Promise<T> {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  const zone = process.env.TZ;
  const now = RealDate.parse(time);
  let seed = 1;
  class StillDate extends RealDate {
    constructor(...parts: [] | [number | string | Date]) {
      super(parts[0] ?? now);
    }
    static override now = (): number => now;
  }
  globalThis.Date = StillDate as DateConstructor;
  process.env.TZ = 'UTC'; // archives hold local times
  Math.random = () => {
    seed = (seed * 48_271) % 2_147_483_647; // Lehmer's generator with the multiplier of C++'s minstd_rand
    return seed / 2_147_483_647;
  };
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
}
