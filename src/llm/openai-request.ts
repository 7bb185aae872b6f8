import type { GenerateRequest, Message, ReasoningPart, ToolCallPart } from './model.ts';
import type { Dialect } from './openai-dialect.ts';

interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[]; [thoughts: string]: unknown }
  | { role: 'tool'; tool_call_id: string; content: string };

/** The body of `POST /chat/completions`, as far as Forge uses it. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  stream: true;
  stream_options?: { include_usage: true };
  max_tokens?: number;
  max_completion_tokens?: number;
  tools?: {
    type: 'function';
    function: { name: string; description: string; parameters: Record<string, unknown> };
  }[];
  tool_choice?: 'none';
  response_format?:
    | { type: 'json_object' }
    | { type: 'json_schema'; json_schema: { name: string; strict: true; schema: Record<string, unknown> } };
}

/** Renders a request in the form of OpenAI's chat completions, as the server's dialect has it. */
export function toChatRequest(model: string, request: GenerateRequest, dialect: Dialect): ChatRequest {
  const { tools, toolChoice, outputSchema } = request;
  const system = [
    ...request.system.map(({ text }) => text),
    ...(outputSchema && dialect.output !== 'json_schema' ? [inWords(outputSchema)] : []),
  ].filter((text) => !isBlank(text));
  return {
    model,
    messages: [
      ...(system.length > 0 ? [{ role: 'system' as const, content: system.join('\n\n') }] : []),
      ...request.messages.flatMap(toChatMessages),
    ],
    stream: true,
    ...(dialect.usage && { stream_options: { include_usage: true as const } }),
    [dialect.limit]: request.maxOutputTokens,
    ...(tools?.length && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...inputSchema, type: 'object' } },
      })),
      ...(toolChoice && { tool_choice: toolChoice }),
    }),
    ...responseFormat(outputSchema, dialect),
  };
}

function responseFormat(
  schema: GenerateRequest['outputSchema'],
  { output }: Dialect,
): Pick<ChatRequest, 'response_format'> {
  if (!schema || output === 'words') return {};
  return output === 'json_object'
    ? { response_format: { type: 'json_object' } }
    : { response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } } };
}

const inWords = (schema: Record<string, unknown>): string =>
  `Reply with one JSON value of this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;

/** Results of tools are messages of their own, which follow the calls at once. */
function toChatMessages({ role, content }: Message): ChatMessage[] {
  const text = content
    .flatMap((part) => (part.type === 'text' && !isBlank(part.text) ? [part.text] : []))
    .join('\n\n');
  if (role === 'assistant') {
    const calls = content.filter((part) => part.type === 'tool_call').map(toChatCall);
    const thoughts = content.filter((part) => part.type === 'reasoning');
    if (text === '' && calls.length === 0) return [];
    return [
      {
        role,
        content: text === '' ? null : text,
        ...(calls.length > 0 && { tool_calls: calls }),
        ...thoughtsOf(thoughts),
      },
    ];
  }
  const results = content.flatMap((part): ChatMessage[] =>
    part.type === 'tool_result'
      ? [
          {
            role: 'tool',
            tool_call_id: part.id,
            // there is no member that says so
            content: part.isError ? `Error: ${part.content}` : part.content,
          },
        ]
      : [],
  );
  return [...results, ...(text === '' ? [] : [{ role: 'user' as const, content: text }])];
}

/** Thoughts go back as they came: in the member that the server sent them in. */
const thoughtsOf = (thoughts: readonly ReasoningPart[]): Record<string, unknown> =>
  Object.assign({}, ...thoughts.map(({ opaque }) => opaque as Record<string, unknown>));

/** A call that the model garbled goes back as JSON all the same: servers that read it take nothing else. */
function toChatCall({ id, name, input }: ToolCallPart): ChatToolCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const args = isObject ? input : { invalid_input: input };
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

const isBlank = (text: string): boolean => text.trim() === '';
