import { check } from '../../checking/check.ts';
import { invalidFields } from '../../errors.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import type { Tool, ToolContext, ToolOutput } from './tool.ts';

/**
 * Calls a tool with an input that nobody has looked at yet.
 *
 * @throws AppError `invalid_request` with a pointer for each member that is wrong, and what the tool throws
 */
export function callTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool.name };
  return withSpan(`execute_tool ${tool.name}`, { attributes }, async () => {
    const checked = check(tool.input, input);
    if (!checked.ok) throw invalidFields(`The input of ${tool.name}`, checked.errors, checked.cause);
    return tool.run(checked.value, context);
  });
}
