/** A pause that all instances keep. Neither rejects. */
export interface SharedPause {
  /** A provider has asked this instance for a pause. */
  pause(ms: number): Promise<void>;
  /** Milliseconds that are left of what any instance was asked for. */
  pausedMs(): Promise<number>;
}

/** What others were asked for is heard of within this. */
const LOOK_MS = 1_000;

/**
 * Until when a provider wants no call.
 *
 * @param options.now milliseconds
 * @param options.looks looks for what other instances were asked for, beside the calls and once a second at most
 */
export function createPause({
  now,
  shared,
  looks = true,
}: {
  now: () => number;
  shared?: SharedPause | undefined;
  looks?: boolean;
}) {
  let until = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const keep = (ms: number): void => {
    until = Math.max(until, now() + ms);
  };

  return {
    /** The provider asks for a pause. */
    begin(ms: number): void {
      keep(ms);
      void shared?.pause(ms);
    },

    /** Milliseconds that are left of it, as far as is known. */
    leftMs(): number {
      if (shared && looks && now() - lookedAt >= LOOK_MS) {
        lookedAt = now();
        void shared.pausedMs().then(keep);
      }
      return Math.max(0, until - now());
    },
  };
}
