import { createFailures } from '../followed/failures.ts';

/** How the failures of runs are told. */
export const {
  INTERRUPTED,
  errorOf: runError,
  failureOf,
} = createFailures({
  interrupted: 'The run was interrupted before it was answered. The question is kept: retry the run.',
  retry: 'Retry the run.',
  kept: 'The question is kept: retry the run',
  another: 'Another question',
});
