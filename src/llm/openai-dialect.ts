import type { ServerFailure } from '../openai/client.ts';

/** What of OpenAI's API a server understands, as far as its refusals have told. */
export interface Dialect {
  /** How a reply is held to a schema: by the schema itself, by being JSON, or by being asked for in words alone. */
  output: 'json_schema' | 'json_object' | 'words';
  /** The name of the limit of output tokens: OpenAI's reasoning models know the new one alone, many servers the old one. */
  limit: 'max_tokens' | 'max_completion_tokens';
  /** Whether the usage can be asked for in a stream. */
  usage: boolean;
}

const LOOSER = { json_schema: 'json_object', json_object: 'words', words: null } as const;

/** A refusal that is about a parameter, and not about what is in it. */
const REFUSALS = new Set([400, 422, 500, 501]);

/**
 * The dialect to try after a request was refused, or null when the refusal is about something else. Each answer asks for less
 * than the one before, so that this ends.
 *
 * @param hasSchema the request asks for JSON of a schema
 */
export function adapted(
  dialect: Dialect,
  { status, detail, isMissing }: ServerFailure,
  hasSchema: boolean,
): Dialect | null {
  if (isMissing || !REFUSALS.has(status ?? 0)) return null;
  if (dialect.usage && /stream_options|include_usage/i.test(detail)) return { ...dialect, usage: false };
  if (dialect.limit === 'max_tokens' && /max_completion_tokens/.test(detail)) {
    return { ...dialect, limit: 'max_completion_tokens' };
  }
  const looser = LOOSER[dialect.output];
  const isAboutOutput = /response_format|json_schema|json_object|schema|grammar|structured|guided/i.test(
    detail,
  );
  return hasSchema && looser && isAboutOutput ? { ...dialect, output: looser } : null;
}
