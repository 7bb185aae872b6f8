import { stateTooLarge } from '../../../src/copilot/assemble.ts';
import { type AppError, DatabaseError, problemOfDatabase, serviceStopping } from '../../../src/errors.ts';
import { brokenRequest } from '../../../src/routes/edge/broken-requests.ts';
import { problemDocument, toAppError } from '../../../src/routes/plumbing/problems.ts';
import { errorOfFailure } from '../../../src/services/followed/failures.ts';
import { INTERRUPTED } from '../../../src/services/turns/failures.ts';
import type { Examples } from './recorder.ts';

const TURNS = '/projects/campaign-roi-analysis/turns';
const LARGE_PROMPT = 181_240;
const WINDOW = 163_333;

const parserError = (code: string) => Object.assign(new Error('Parse Error'), { code });
const ofDatabase = (trouble: 'unavailable' | 'full') =>
  problemOfDatabase(new DatabaseError(trouble, new Error('lost'), false));

/** What no session can bring about in a moment, as the service words it, with the path that was asked. */
const WORDED: readonly (readonly [AppError, url: string])[] = [
  [brokenRequest(parserError('HPE_HEADER_OVERFLOW')), ''],
  [brokenRequest(parserError('ERR_HTTP_REQUEST_TIMEOUT')), ''],
  [serviceStopping(), TURNS],
  [ofDatabase('unavailable'), TURNS],
  [ofDatabase('full'), TURNS],
  [toAppError(new Error('nobody thought of this')), TURNS],
  [errorOfFailure(INTERRUPTED, {}), TURNS],
  [stateTooLarge(LARGE_PROMPT, WINDOW), TURNS],
];

/** Adds them to what was recorded. */
export function addWorded({ problems }: Examples): void {
  for (const [error, url] of WORDED) {
    problems[error.code] ??= problemDocument(error, { id: '00000000-0000-4000-8000-000000000000', url });
  }
}
