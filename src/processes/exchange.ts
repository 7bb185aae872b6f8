/** What the children of one kind are asked and what they answer: values that can be cloned. */
export interface Exchange {
  request: unknown;
  /** What of an answer is sent ahead of its end. */
  part: unknown;
  result: unknown;
  /** Why there is no result, in the child's own terms. */
  failure: unknown;
}

/** To a child: do this, or forget it. */
export type ToChild<X extends Exchange> =
  | { id: number; request: X['request']; deadlineMs: number }
  | { cancel: number };

/** What a child has done for a request: its name for it, and when, in milliseconds since 1970. */
export interface MeasuredStep {
  name: string;
  from: number;
  to: number;
}

/** From a child: any number of parts, what it has measured, then a result or a failure. */
export type FromChild<X extends Exchange> =
  | { id: number; part: X['part'] }
  | { id: number; steps: MeasuredStep[] }
  | { id: number; result: X['result'] }
  | { id: number; failure: X['failure'] };

/** How a request ended. */
export type Outcome<X extends Exchange> = { kind: 'result'; result: X['result'] } | Unserved<X>;

/** Why a request has no result. A `cause` is for the log only. */
export type Unserved<X extends Exchange> =
  | { kind: 'failure'; failure: X['failure'] }
  /** It took longer than its deadline allows. */
  | { kind: 'timed_out' }
  /** Its process needed more heap, or more memory in all, than it may have. */
  | { kind: 'out_of_memory'; cause: Error }
  /** Its process was killed from outside: by whoever runs the machine, or by the machine for want of memory. */
  | { kind: 'killed'; cause: Error }
  /** Its process ended for another reason. */
  | { kind: 'crashed'; cause: Error }
  /** The pool was closed. */
  | { kind: 'closed' };

/** By these a process ends itself that is past a limit, so that it is told from one that was killed from outside. */
export const LIMIT_SIGNALS = { memory: 'SIGUSR2', deadline: 'SIGALRM' } as const;

/** A child gets this as JSON in its first argument. */
export interface ChildTerms {
  parentPid: number;
  memoryMb: number;
}
