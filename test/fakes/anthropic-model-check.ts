import { type ClaudeModel, claudeModel, type RefusedSetting } from '../../src/llm/models.ts';
import type { AnthropicRequestBody } from './anthropic-request-check.ts';

/**
 * What the real API would answer 400 with because of the model that the request is for, in its words as far as they are
 * published (the migration guides, `build-with-claude/thinking-troubleshooting`); undefined for a request that the model
 * takes, or a model that is not known.
 */
export function problemWithModel(body: AnthropicRequestBody): string | undefined {
  const model = claudeModel(body.model);
  if (!model) return undefined;
  if (body.max_tokens > model.maxOutput) {
    return `max_tokens: ${body.max_tokens} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${body.model}`;
  }
  const prompt = Math.ceil(JSON.stringify([body.system, body.tools, body.messages]).length / 4);
  if (prompt > model.contextWindow) {
    return `prompt is too long: ${prompt} tokens > ${model.contextWindow} maximum`;
  }
  const refused = model.refuses.find((setting) => IS_SET[setting](body));
  return (
    (refused && WORDS[refused](model)) ??
    problemWithThinking(model, body.thinking) ??
    problemWithEffort(model, body.output_config?.effort)
  );
}

const IS_SET: Record<RefusedSetting, (body: AnthropicRequestBody) => boolean> = {
  thinking_budget: ({ thinking }) => thinking?.type === 'enabled',
  thinking_disabled: ({ thinking }) => thinking?.type === 'disabled',
  forced_tool: ({ tool_choice }) => tool_choice?.type === 'any' || tool_choice?.type === 'tool',
  prefill: ({ messages }) => messages.at(-1)?.role === 'assistant',
};

const WORDS: Record<RefusedSetting, (model: ClaudeModel) => string> = {
  thinking_budget: () =>
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  thinking_disabled: ({ thinking }) =>
    thinking === 'always'
      ? '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.'
      : 'To turn thinking off on this model, send "thinking": {"type": "between_tools"} instead of {"type": "disabled"}. The model does not think before responding. The short updates it writes between tool calls come back as thinking blocks.',
  forced_tool: () => 'tool_choice: type "tool" and "any" are not supported for this model.',
  prefill: () =>
    'This model does not support assistant message prefill. The conversation must end with a user message.',
};

/** Models that have no levels of effort are those before adaptive thinking. */
function problemWithThinking(
  { efforts }: ClaudeModel,
  thinking: AnthropicRequestBody['thinking'],
): string | undefined {
  if (thinking?.type === 'adaptive' && efforts.length === 0) {
    return 'adaptive thinking is not supported on this model';
  }
  const display = thinking?.display;
  return display === undefined || display === 'summarized' || display === 'omitted'
    ? undefined
    : "thinking.adaptive.display: Input should be 'summarized' or 'omitted'";
}

function problemWithEffort({ efforts }: ClaudeModel, effort: string | undefined): string | undefined {
  if (effort === undefined || efforts.some((level) => level === effort)) return undefined;
  return efforts.length === 0
    ? 'This model does not support the effort parameter.'
    : `This model does not support effort level '${effort}'.`;
}
