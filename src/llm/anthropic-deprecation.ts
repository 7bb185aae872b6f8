import Anthropic from '@anthropic-ai/sdk';

/**
 * What the SDK says of a model that its provider is about to switch off; null when it says nothing.
 *
 * The SDK keeps that list to itself and prints from it at each `messages.create`, past its own logger and its level. So
 * the service's calls go another way (`openStream` in anthropic.ts), and the SDK is heard here once, in a call that sends
 * nothing. It speaks before it first yields: nothing else prints meanwhile.
 */
export function deprecationOf(model: string): string | null {
  const heard: string[] = [];
  const client = new Anthropic({
    apiKey: 'none',
    baseURL: 'http://127.0.0.1',
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: () => Promise.reject(new Error('nothing is sent')),
  });
  const { warn } = console;
  console.warn = (text: unknown) => void heard.push(String(text));
  try {
    client.messages.create({ model, max_tokens: 1, messages: [], stream: true }).catch(() => undefined);
  } finally {
    console.warn = warn;
  }
  return heard.length === 0 ? null : heard.join(' ').replace(/\s+/g, ' ').trim();
}
