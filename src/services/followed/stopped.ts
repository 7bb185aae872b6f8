/**
 * Why something that runs was stopped from outside. `lost`: its lease is another's or has run out, so that whatever is
 * written about it must prove first that it is still this instance's.
 */
export type StopReason = 'cancelled' | 'lost' | 'shutdown' | 'deadline';

export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`);
    this.name = 'Stopped';
    this.reason = reason;
  }
}
