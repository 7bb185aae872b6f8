import { VoyageAIClient } from 'voyageai';

/** Where Voyage is asked, and how. */
export interface VoyageConnection {
  apiKey: string;
  baseUrl?: string;
  /** In place of the network's own. */
  fetch?: typeof fetch;
}

/**
 * Voyage's SDK without what it does by itself: nothing is tried again here.
 *
 * @param timeoutMs until the headers of an answer
 */
export const createVoyageClient = (
  { apiKey, baseUrl, fetch }: VoyageConnection,
  timeoutMs: number,
): VoyageAIClient =>
  new VoyageAIClient({
    apiKey,
    ...(baseUrl !== undefined && { baseUrl }),
    // the SDK's own retries ignore an abort while they wait
    maxRetries: 0,
    timeoutInSeconds: timeoutMs / 1_000,
    ...(fetch && { fetch }),
  });
