import { bareTokens } from '../../copilot/assemble.ts';
import type { ReadResults } from '../../copilot/read-results.ts';
import type { ReadTools } from '../../copilot/respond.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { AppError } from '../../errors.ts';
import type { Knowledge } from '../../knowledge/entry.ts';
import type { ToolDefinition } from '../../llm/model.ts';
import { definitionsOf } from '../research/agent-tools.ts';
import { callTool } from '../tools/call-tool.ts';
import { refusalText } from '../tools/refusal.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { toolsOfTurns } from '../tools/tools.ts';
import type { TurnStart } from './begin.ts';

/** The tools that turns have. */
export interface TurnTools {
  documents: readonly Tool[];
  /** The state tools, and those that read documents after them. */
  definitions: readonly ToolDefinition[];
  /** Those of turns that are answered by research, as far as their sources allow. */
  research: readonly Tool[];
}

/** @param tools every read-only tool there is */
export function createTurnTools(tools: readonly Tool[]): TurnTools {
  const documents = toolsOfTurns(tools);
  return {
    documents,
    definitions: [...STATE_TOOL_DEFINITIONS, ...definitionsOf(documents)],
    research: tools,
  };
}

/** Tokens below which results of tools that read are not worth their definitions. */
const WORTH_READING = 1_000;

/**
 * The tools of a turn. Those that read are left out where there are no files, the library being none of the turn's, and
 * where the turn's budget has no room for them: the least turn that there can be is one without.
 */
export function toolsFor(
  { definitions }: TurnTools,
  { message, project, sources }: Pick<TurnStart, 'message' | 'project' | 'sources'>,
  { knowledge, budget }: { knowledge: Knowledge; budget: number },
): readonly ToolDefinition[] {
  const hasFiles = project.state.file_summaries.length > 0 || sources?.includes('library') === true;
  const isRead = hasFiles && bareTokens(message, { knowledge, tools: definitions }) + WORTH_READING <= budget;
  return isRead ? definitions : STATE_TOOL_DEFINITIONS;
}

/**
 * The tools that read, for one turn.
 *
 * @param onFailure told of what is no fault of the call's
 */
export function readToolsOf(
  { documents }: TurnTools,
  context: Omit<ToolContext, 'maxTokens'>,
  results: ReadResults,
  onFailure: (error: unknown, tool: string) => void,
): ReadTools {
  const byName = new Map(documents.map((tool) => [tool.name, tool]));
  return {
    has: (name) => byName.has(name),
    async run(call, maxTokens) {
      try {
        const tool = byName.get(call.name);
        if (!tool) throw new AppError('tool_not_found', { detail: `There is no tool "${call.name}".` });
        const output = await callTool(tool, call.input, { ...context, maxTokens });
        return { content: results.write(call, output, maxTokens), isError: false };
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof AppError)) onFailure(error, call.name);
        return { content: refusalText(error), isError: true };
      }
    },
  };
}
