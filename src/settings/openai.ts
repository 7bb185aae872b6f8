/** Where an OpenAI-compatible server is, its key, and the settings that both come from. */
export interface OpenAiAddress {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  settings: { key: string; address: string };
}

/** The settings of a server that serves for everything. */
export interface OpenAiShared {
  OPENAI_API_KEY?: string | undefined;
  OPENAI_BASE_URL?: string | undefined;
}

/**
 * The server for one purpose: its own where it has an address, else that of `OPENAI_BASE_URL`. The key goes with the address,
 * so that none is sent to a server that it is not for.
 */
export function openAiAddress<Purpose extends 'EMBEDDING' | 'LLM'>(
  purpose: Purpose,
  settings: OpenAiShared & { [Name in `${Purpose}_API_KEY` | `${Purpose}_BASE_URL`]?: string | undefined },
): OpenAiAddress {
  const own = { key: `${purpose}_API_KEY`, address: `${purpose}_BASE_URL` } as const;
  const baseUrl = settings[own.address];
  const apiKey = settings[own.key];
  if (baseUrl !== undefined) return { apiKey, baseUrl, settings: own };
  const shared = { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' } as const;
  return {
    apiKey: apiKey ?? settings.OPENAI_API_KEY,
    baseUrl: settings.OPENAI_BASE_URL,
    settings: { key: apiKey === undefined ? shared.key : own.key, address: shared.address },
  };
}
