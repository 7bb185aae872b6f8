import type { ReadResults } from '../../copilot/read-results.ts';
import { toolDefinition } from '../../copilot/tools.ts';
import { AppError } from '../../errors.ts';
import type { OnUsage, ToolDefinition } from '../../llm/model.ts';
import type { AgentResult, AgentTools } from '../../research/agent.ts';
import { callTool } from '../tools/call-tool.ts';
import { refusalText } from '../tools/refusal.ts';
import type { KnownOutlines, Tool, ToolContext } from '../tools/tool.ts';

/** Where the agent's tools look, and who is told what. */
interface AgentToolsContext
  extends Pick<ToolContext, 'scope' | 'sources' | 'signal' | 'onSpent' | 'mayCall'> {
  results: ReadResults;
  onUsage: OnUsage;
  /** Told of what is no fault of the call's. */
  onFailure: (error: unknown, tool: string) => void;
}

/** The tools that sources allow: without the project only the library is searched, and the other way round. */
export const toolsOfSources = (
  tools: readonly Tool[],
  sources: readonly ('project' | 'library')[],
): readonly Tool[] =>
  tools.filter(({ kind }) => sources.includes(kind === 'library' ? 'library' : 'project'));

/** The tools as a model is told of them. */
export const definitionsOf = (tools: readonly Tool[]): ToolDefinition[] =>
  tools.map((tool) => toolDefinition(tool.name, tool));

/** The tools for one run of the agent: what they give is written and numbered, and outlines are remembered. */
export function agentTools(tools: readonly Tool[], context: AgentToolsContext): AgentTools {
  const { results, onFailure, ...where } = context;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const outlines: KnownOutlines = new Map();

  function failed(error: unknown, tool: string, input: unknown): AgentResult {
    if (!(error instanceof AppError)) onFailure(error, tool);
    const content = refusalText(error);
    const { filename } = (input ?? {}) as { filename?: unknown };
    const isMissing = error instanceof AppError && error.code === 'file_not_found';
    return {
      content,
      isError: true,
      values: { lines: [content], passages: [], structured: null },
      missingFile: isMissing && typeof filename === 'string' ? filename : null,
    };
  }

  return {
    definitions: definitionsOf(tools),
    canonical: ({ name, input }) => byName.get(name)?.input.safeParse(input).data ?? input,
    async run(call, maxTokens) {
      const { id, name, input } = call;
      const tool = byName.get(name);
      if (!tool) {
        const detail = `There is no tool "${name}". There are: ${[...byName.keys()].join(', ')}.`;
        return failed(new AppError('tool_not_found', { detail }), name, input);
      }
      try {
        const output = await callTool(tool, input, { ...where, maxTokens, outlines });
        const content = results.write({ id, name }, output, maxTokens);
        const markers = new Set(results.markersOf(id));
        const passages = results
          .shown()
          .filter(({ marker }) => markers.has(marker))
          .map(({ marker, passage, spans }) => ({
            marker,
            filename: passage.filename,
            headerPath: passage.header_path,
            text: spans.map(({ start, end }) => passage.text.slice(start, end)).join('\n\n'),
            score: passage.score,
          }));
        const { lines, structured = null } = output;
        return { content, isError: false, values: { lines, passages, structured }, missingFile: null };
      } catch (error) {
        where.signal.throwIfAborted();
        return failed(error, name, input);
      }
    },
  };
}
