/** The members of a value; none where it is no object. */
export const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The value of a body; undefined for one that is no JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of a reply. A body that is no JSON counts as one without any. */
export const readReply = async (response: Response): Promise<Record<string, unknown>> =>
  membersOf(await readJson(response));

/** Tokens that a reply says were used; 0 where it does not say. */
export function usedTokens(reply: Record<string, unknown>): number {
  const usage = membersOf(reply.usage);
  const tokens = usage.total_tokens ?? usage.prompt_tokens;
  return typeof tokens === 'number' && tokens > 0 ? tokens : 0;
}
