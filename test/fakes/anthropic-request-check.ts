import { problemWithModel } from './anthropic-model-check.ts';

/** The parts of `POST /v1/messages` that the fake server looks at. */
export interface AnthropicRequestBody {
  model: string;
  max_tokens: number;
  stream?: boolean;
  system?: string | { type: 'text'; text: string; cache_control?: { type: string } }[];
  messages: { role: 'user' | 'assistant'; content: string | ContentBlock[] }[];
  tools?: { name: string; description?: string; input_schema: Record<string, unknown> }[];
  tool_choice?: { type: string };
  thinking?: { type: string; display?: string };
  output_config?: { effort?: string; format?: { type: string; schema: Record<string, unknown> } };
}

export interface ContentBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
  is_error?: boolean;
  thinking?: string;
  signature?: string;
  data?: string;
  cache_control?: { type: string };
}

const KNOWN = new Set([
  'model',
  'max_tokens',
  'stream',
  'system',
  'messages',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
]);
// version 2026-10-21 of the API has no temperature, top_p or top_k any more
const OPTIONAL = new Set(['stop_sequences', 'metadata', 'service_tier']);

/** What the real API would answer 400 with, or undefined for a request it would take. */
export function problemWithRequest(value: unknown): string | undefined {
  if (!isObject(value)) return 'The request body is not valid JSON';
  const body = value as unknown as AnthropicRequestBody;
  const extra = Object.keys(value).find((key) => !KNOWN.has(key) && !OPTIONAL.has(key));
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  if (typeof body.model !== 'string') return 'model: Field required';
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1)
    return 'max_tokens: Input should be at least 1';
  if (!Array.isArray(body.messages)) return 'messages: Field required';
  return (
    problemWithSystem(body.system) ??
    problemWithMessages(body) ??
    problemWithTools(body.tools) ??
    (body.tool_choice && !body.tools?.length
      ? 'tool_choice may only be specified while providing tools.'
      : undefined) ??
    problemWithFormat(body.output_config?.format) ??
    problemWithCacheMarks(body) ??
    problemWithModel(body)
  );
}

function problemWithSystem(system: AnthropicRequestBody['system']): string | undefined {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return 'system: Input should be a valid list';
  const bad = system.findIndex((block) => block.type !== 'text' || !block.text?.trim());
  return bad < 0 ? undefined : `system.${bad}: text content blocks must be non-empty`;
}

function problemWithMessages({ messages, tools }: AnthropicRequestBody): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required';
  let open: string[] = [];
  for (const [i, { role, content }] of messages.entries()) {
    if (role !== 'user' && role !== 'assistant')
      return `messages.${i}.role: Input should be 'user' or 'assistant'`;
    if (role !== (i % 2 === 0 ? 'user' : 'assistant')) {
      return `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`;
    }
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (!Array.isArray(blocks) || blocks.length === 0) return `messages.${i}: content must be non-empty`;
    const bad = blocks.find((block) => block.type === 'text' && !block.text?.trim());
    if (bad) return 'messages: text content blocks must be non-empty';
    const thought = blocks.find(({ type }) => type === 'thinking');
    if (thought && (role !== 'assistant' || !thought.signature)) {
      return `messages.${i}.content.${blocks.indexOf(thought)}: Invalid \`signature\` in \`thinking\` block`;
    }
    if (blocks.some(({ type }) => type.startsWith('tool_')) && !tools?.length) {
      return 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
    }
    const problem = role === 'user' ? problemWithResults(i, blocks, open) : problemWithCalls(i, blocks);
    if (problem) return problem;
    open = role === 'assistant' ? idsOf(blocks, 'tool_use', 'id') : [];
  }
  return open.length === 0 ? undefined : unanswered(messages.length - 1, open);
}

function problemWithResults(at: number, blocks: ContentBlock[], open: string[]): string | undefined {
  const answered = idsOf(blocks, 'tool_result', 'tool_use_id');
  const unknown = answered.find((id) => !open.includes(id));
  if (unknown !== undefined) {
    return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unknown}.`;
  }
  const first = blocks.slice(0, answered.length).every(({ type }) => type === 'tool_result');
  const missing = open.filter((id) => !answered.includes(id) || !first);
  return missing.length === 0 ? undefined : unanswered(at - 1, missing);
}

function unanswered(at: number, ids: string[]): string {
  return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}.`;
}

function problemWithCalls(at: number, blocks: ContentBlock[]): string | undefined {
  const bad = blocks.find(
    ({ type, id, name, input }) =>
      type === 'tool_use' && !(typeof id === 'string' && name && isObject(input)),
  );
  return bad && `messages.${at}.content: tool_use.input: Input should be a valid dictionary`;
}

function problemWithTools(tools: AnthropicRequestBody['tools']): string | undefined {
  const names = new Set<string>();
  for (const [i, tool] of (tools ?? []).entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name)) return `tools.${i}.name: String should match pattern`;
    if (names.has(tool.name)) return 'tools: Tool names must be unique.';
    if (!isObject(tool.input_schema)) return `tools.${i}.input_schema: Field required`;
    if (tool.input_schema.type !== 'object') return `tools.${i}.input_schema.type: Input should be 'object'`;
    names.add(tool.name);
  }
  return undefined;
}

function problemWithFormat(format: { type: string; schema: unknown } | undefined): string | undefined {
  if (format === undefined) return undefined;
  if (format.type !== 'json_schema') return 'output_config.format.type: Input should be json_schema';
  return problemWithSchema(format.schema);
}

function problemWithSchema(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'output_config.format.schema: Input should be a valid dictionary';
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  const unsupported = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'oneOf', 'not', 'if'];
  const found = unsupported.find((key) => key in schema);
  if (found) return `output_config.format.schema: property '${found}' is not supported`;
  const children = [
    ...Object.values(isObject(schema.properties) ? schema.properties : {}),
    schema.items,
  ].filter(isObject);
  return children.map(problemWithSchema).find((problem) => problem !== undefined);
}

function problemWithCacheMarks(body: AnthropicRequestBody): string | undefined {
  const blocks = [
    ...(Array.isArray(body.system) ? body.system : []),
    ...body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
  ];
  const marks = blocks.filter((block) => block.cache_control !== undefined).length;
  return marks > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` : undefined;
}

function idsOf(blocks: ContentBlock[], type: string, key: 'id' | 'tool_use_id'): string[] {
  return blocks.filter((block) => block.type === type).map((block) => block[key] ?? '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
