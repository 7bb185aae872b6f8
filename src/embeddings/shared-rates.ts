import type { SharedPause } from '../pause.ts';
import type { RateLimits } from './rate-meter.ts';

/** What all instances together ask of a provider. */
export interface SharedRates extends SharedPause {
  /**
   * Counts a request of so many tokens, unless that would go beyond the limits of time. Does not reject: what cannot be
   * asked for is let through.
   *
   * @returns milliseconds after which there may be room; 0: it was counted
   */
  take(limits: RateLimits, tokens: number): Promise<number>;
}
