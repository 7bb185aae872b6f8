import type { AnthropicRequestBody, ContentBlock } from './anthropic-request-check.ts';

/** A stretch of a request in the order in which it is read: the tools, each system block, each block of the messages. */
export interface RequestBlock {
  place: 'tools' | 'system' | 'user' | 'assistant';
  /** What is read of it; for tools and calls as JSON. */
  text: string;
  /** A cache mark ends here. */
  marked: boolean;
}

/** What is read from the cache and written to it, in the unit of `count`. */
export interface CacheUse {
  input: number;
  read: number;
  written: number;
}

/** The request as the stretches that a provider reads one after the other. */
export function blocksOf(body: AnthropicRequestBody): RequestBlock[] {
  const system = typeof body.system === 'string' ? [{ text: body.system }] : (body.system ?? []);
  return [
    ...(body.tools ? [{ place: 'tools' as const, text: JSON.stringify(body.tools), marked: false }] : []),
    ...system.map((block) => ({
      place: 'system' as const,
      text: block.text,
      marked: 'cache_control' in block && block.cache_control !== undefined,
    })),
    ...body.messages.flatMap(({ role, content }) =>
      typeof content === 'string'
        ? [{ place: role, text: content, marked: false }]
        : content.map((block) => ({
            place: role,
            text: textOf(block),
            marked: block.cache_control !== undefined,
          })),
    ),
  ];
}

function textOf({ cache_control: _, ...block }: ContentBlock): string {
  return block.type === 'text' ? (block.text ?? '') : JSON.stringify(block);
}

/**
 * A provider's cache of prefixes: a marked prefix that is long enough is kept, and the longest kept one that a request
 * begins with is read. Naming another `tool_choice` gives up what is kept of the messages.
 *
 * @param count the length of a text
 * @param minimum the least length that is kept, for a model
 */
export function createPromptCache(count: (text: string) => number, minimum: (model: string) => number) {
  const kept = new Set<string>();
  return {
    use(body: AnthropicRequestBody): CacheUse {
      const least = minimum(body.model);
      let prefix = body.model;
      let [input, read, written] = [0, 0, 0];
      const toKeep: string[] = [];
      for (const { place, text, marked } of blocksOf(body)) {
        const choice = place === 'tools' || place === 'system' ? '' : (body.tool_choice?.type ?? '');
        prefix = `${prefix}\u0000${place}\u0000${text}`;
        input += count(text);
        const key = `${choice}\u0000${prefix}`;
        if (kept.has(key)) read = input;
        if (!marked || input < least) continue;
        written = input;
        toKeep.push(key);
      }
      for (const key of toKeep) kept.add(key);
      return { input, read, written: Math.max(0, written - read) };
    },
  };
}
