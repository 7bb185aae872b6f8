import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { GenerateRequest, Message, ToolCallPart } from './model.ts';
import { claudeModel, type Effort } from './models.ts';

interface Markable {
  cache_control?: { type: 'ephemeral' };
}
interface TextBlock extends Markable {
  type: 'text';
  text: string;
}
interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}
interface ToolResultBlock extends Markable {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error: boolean;
}

/** The body of `POST /v1/messages`, as far as Forge uses it. */
export interface AnthropicRequest {
  model: string;
  max_tokens: number;
  stream: true;
  system?: TextBlock[];
  messages: { role: 'user' | 'assistant'; content: ContentBlock[] }[];
  tools?: {
    name: string;
    description: string;
    input_schema: { type: 'object'; [key: string]: unknown };
  }[];
  tool_choice?: { type: 'none' };
  thinking?: { type: 'adaptive'; display: 'summarized' };
  output_config?: { effort?: Effort; format?: { type: 'json_schema'; schema: Record<string, unknown> } };
}

/** Thoughts go back in the form in which they came. */
type ThinkingBlock = { type: 'thinking' | 'redacted_thinking' };
type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock;

/**
 * What models that think do anyway, with the thoughts in words: left to themselves they send them empty. They are charged
 * for either way.
 */
const SHOWN_THINKING = { type: 'adaptive', display: 'summarized' } as const;

/** The API refuses a request with more cache marks. */
const MOST_CACHE_MARKS = 4;

/**
 * Renders a request in Anthropic's form. Blank texts are left out, and what the model is known to refuse is not sent: more
 * tokens than it can write, an effort that it does not have.
 */
export function toAnthropicRequest(
  model: string,
  request: GenerateRequest,
  effort?: Effort,
): AnthropicRequest {
  const system = request.system
    .filter(({ text }) => !isBlank(text))
    .map(({ text, cache }): TextBlock => ({ type: 'text', text, ...mark(cache) }));
  const messages = request.messages
    .map(({ role, content }) => ({ role, content: contentBlocks(content) }))
    .filter(({ content }) => content.length > 0);
  keepLastMarks([...system, ...messages.flatMap(({ content }) => content)]);
  const known = claudeModel(model);
  const output = outputConfig(
    known?.efforts.find((level) => level === effort),
    request.outputSchema,
  );
  return {
    model,
    max_tokens: Math.min(request.maxOutputTokens, known?.maxOutput ?? Number.POSITIVE_INFINITY),
    stream: true,
    ...(system.length > 0 && { system }),
    messages,
    ...(request.tools?.length && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { ...inputSchema, type: 'object' as const },
      })),
      ...(request.toolChoice && { tool_choice: { type: request.toolChoice } }),
    }),
    ...(known && known.thinking !== 'off' && request.onReasoning && { thinking: SHOWN_THINKING }),
    ...(output && { output_config: output }),
  };
}

function outputConfig(
  effort: Effort | undefined,
  schema: GenerateRequest['outputSchema'],
): AnthropicRequest['output_config'] {
  if (!effort && !schema) return undefined;
  return {
    ...(effort && { effort }),
    ...(schema && { format: { type: 'json_schema', schema: transformJSONSchema(schema) } }),
  };
}

const mark = (cache: boolean | undefined): Markable =>
  cache === true ? { cache_control: { type: 'ephemeral' } } : {};

/** Of too many marks the last ones stay: they end the longest prefixes. */
function keepLastMarks(blocks: readonly ContentBlock[]): void {
  const marked = blocks.filter((block): block is Markable & ContentBlock => 'cache_control' in block);
  for (const block of marked.slice(0, -MOST_CACHE_MARKS)) delete block.cache_control;
}

function contentBlocks(parts: Message['content']): ContentBlock[] {
  return parts.filter((part) => part.type !== 'text' || !isBlank(part.text)).map(toContentBlock);
}

function toContentBlock(part: Message['content'][number]): ContentBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...mark(part.cache) };
    case 'reasoning':
      return part.opaque as ThinkingBlock;
    case 'tool_call':
      return { type: 'tool_use', id: part.id, name: part.name, input: toolInput(part.input) };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: part.id,
        content: part.content,
        is_error: part.isError,
        ...mark(part.cache),
      };
  }
}

/** A call that the model garbled goes back as an object all the same: the API takes nothing else. */
function toolInput(input: ToolCallPart['input']): unknown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? input : { invalid_input: input };
}

const isBlank = (text: string): boolean => text.trim() === '';
