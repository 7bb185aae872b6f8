/** The body of a request, as far as it is looked at. */
export interface ChatRequestBody {
  model: string;
  messages: {
    role: string;
    content: string | null;
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  max_completion_tokens?: number;
  tools?: { type: string; function: { name: string; parameters: Record<string, unknown> } }[];
  tool_choice?: string;
  response_format?: { type: string; json_schema?: { name: string; strict?: boolean; schema: unknown } };
}

const KNOWN = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'tool_choice',
  'response_format',
]);

/** What servers that speak OpenAI's API refuse of a request, in words of theirs; undefined for a good one. */
export function problemWithChat(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'We could not parse the JSON body of your request.';
  const extra = Object.keys(body).find((key) => !KNOWN.has(key));
  if (extra !== undefined) return `Unrecognized request argument supplied: ${extra}`;
  const { messages, tools, tool_choice: choice, response_format: format } = body as ChatRequestBody;
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must not be empty.";
  if (choice !== undefined && !tools?.length)
    return "'tool_choice' is only allowed when 'tools' are specified.";
  if (format?.json_schema?.strict === true) {
    const { additionalProperties } = format.json_schema.schema as { additionalProperties?: unknown };
    if (additionalProperties !== false) {
      return "Invalid schema for response_format 'reply': 'additionalProperties' is required to be supplied and to be false.";
    }
  }
  return problemWithMessages(messages);
}

/** Each call has its result right behind it, and each result its call. */
function problemWithMessages(messages: ChatRequestBody['messages']): string | undefined {
  let open = new Set<string>();
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (id === undefined || !open.delete(id)) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
      continue;
    }
    if (open.size > 0) return "An assistant message with 'tool_calls' must be followed by tool messages.";
    if (!['system', 'user', 'assistant'].includes(role)) return `'${role}' is not one of the roles.`;
    if (content === null && !calls?.length) return 'content or tool_calls must be set';
    for (const call of calls ?? []) {
      try {
        JSON.parse(call.function.arguments);
      } catch {
        return 'Failed to parse tool call arguments as JSON';
      }
    }
    open = new Set((calls ?? []).map((call) => call.id));
  }
  return open.size > 0
    ? "An assistant message with 'tool_calls' must be followed by tool messages."
    : undefined;
}
