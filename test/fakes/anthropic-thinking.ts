import type { AnthropicRequestBody, ContentBlock } from './anthropic-request-check.ts';

/** Remembers the thoughts that were sent out, and with which conversation before them. */
export interface ThinkingMemory {
  /** A reply to the request goes out. */
  issue(body: AnthropicRequestBody, content: readonly ContentBlock[]): void;
  /** What the real API would answer 400 with when thoughts come back; undefined for those that are as they were. */
  problemWith(body: AnthropicRequestBody): string | undefined;
}

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking' || type === 'redacted_thinking';
const blocksOf = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === 'string' ? [] : content;
const isCall = ({ type }: ContentBlock): boolean => type === 'tool_use';

export function createThinkingMemory(): ThinkingMemory {
  const replies = new Map<string, { thoughts: string; prefix: string }>();
  return {
    issue(body, content) {
      const reply = { thoughts: thoughtsIn(content), prefix: prefixOf(body, body.messages.length) };
      for (const { id } of content.filter(isCall)) replies.set(id ?? '', reply);
    },
    problemWith(body) {
      for (const [index, { content }] of body.messages.entries()) {
        const blocks = blocksOf(content);
        const reply = replies.get(blocks.find(isCall)?.id ?? '');
        if (!reply) continue;
        const at = `messages.${index}.content.${Math.max(0, blocks.findIndex(isThinking))}`;
        if (reply.thoughts !== thoughtsIn(blocks)) {
          return `${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
        }
        if (reply.thoughts !== '[]' && reply.prefix !== prefixOf(body, index)) {
          return `${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
        }
      }
      return undefined;
    },
  };
}

/** The thoughts with what stands between them: where calls and texts stand matters, not what they say. */
function thoughtsIn(content: readonly ContentBlock[]): string {
  if (!content.some(isThinking)) return '[]';
  return JSON.stringify(content.map((block) => (isThinking(block) ? block : block.type)));
}

/** System prompt, tools and the messages before: what may not change, cache marks and thoughts apart. */
function prefixOf({ system, tools, messages }: AnthropicRequestBody, before: number): string {
  const earlier = messages
    .slice(0, before)
    .map(({ role, content }) =>
      typeof content === 'string'
        ? { role, content }
        : { role, content: content.filter((b) => !isThinking(b)) },
    );
  return JSON.stringify([system, tools, earlier], (key, value) =>
    key === 'cache_control' ? undefined : value,
  );
}
