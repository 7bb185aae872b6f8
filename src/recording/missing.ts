const HEADER = 'x-forge-recording';

/**
 * The answer to a request that was not recorded, in a form that every provider's client reads: refused, so that it is not tried again.
 */
export const missingResponse = (message: string): Response =>
  Response.json(
    { type: 'error', error: { type: 'invalid_request_error', message }, detail: message },
    { status: 400, headers: { [HEADER]: 'missing' } },
  );

/** Whether an answer is that: what it says is for whoever replays. */
export const isMissing = (headers: Pick<Headers, 'get'> | undefined): boolean =>
  headers?.get(HEADER) === 'missing';
