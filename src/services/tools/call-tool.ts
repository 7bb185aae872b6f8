import { invalidFields } from '../../errors.ts';
import { fieldErrors } from '../../state/field-errors.ts';
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
    const parsed = tool.input.safeParse(input);
    if (!parsed.success)
      throw invalidFields(`The input of ${tool.name}`, fieldErrors(parsed.error), parsed.error);
    return tool.run(parsed.data, context);
  });
}
