import { createFailures } from '../followed/failures.ts';

/** How the failures of turns are told. */
export const {
  INTERRUPTED,
  errorOf: turnError,
  failureOf,
} = createFailures({
  interrupted: 'The turn was interrupted before it was answered. The message is kept: retry the turn.',
  retry: 'Retry the turn.',
  kept: 'The message is kept: retry the turn',
  another: 'Another message',
});
