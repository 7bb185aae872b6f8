import { performance } from 'node:perf_hooks';
import type { ToolListing, ToolResult } from '../../contract/tool.ts';
import { clipTokens } from '../../copilot/clip.ts';
import { createReadResults } from '../../copilot/read-results.ts';
import { toolDefinition } from '../../copilot/tools.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type Scope, SOURCES } from '../../scope.ts';
import { nearestName } from '../../text/nearest-name.ts';
import type { SpendingGuard } from '../limits/spending.ts';
import { requirePlace } from '../places.ts';
import type { QueryUsage } from '../query-usage.ts';
import { callTool } from './call-tool.ts';
import { refusalText } from './refusal.ts';
import { TOOL_ANNOTATIONS, type Tool, type ToolContext } from './tool.ts';

/** Tokens of a result, at most: what a model is given of one call. */
const RESULT_TOKENS = 4_000;
/** Says that a call is wrong, and not that what it asks for is not there. */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_request', 'project_not_found']);

/** How a call is made by hand. */
export type HandCall = Pick<ToolContext, 'signal' | 'onProgress'>;

/** A result, with what it says apart from text of documents. */
export interface HandResult extends ToolResult {
  lines: string;
}

/** The tools for who looks at them or calls one without a model. */
export function createToolService({
  db,
  tools,
  queryUsage,
  spending,
}: {
  db: Database;
  tools: readonly Tool[];
  queryUsage: QueryUsage;
  spending: SpendingGuard;
}) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  function requireTool(name: string): Tool {
    const tool = byName.get(name);
    if (tool) return tool;
    const nearest = nearestName(name, [...byName.keys()]);
    throw new AppError('tool_not_found', {
      detail: `There is no tool "${name}".${nearest === null ? '' : ` Do you mean "${nearest}"?`} GET /tools lists them all.`,
      ...(nearest !== null && { extra: { nearest } }),
    });
  }

  return {
    /** The tools by name. */
    byName: byName as ReadonlyMap<string, Tool>,

    list: (): ToolListing[] =>
      tools.map((tool) => {
        const { name, description, inputSchema } = toolDefinition(tool.name, tool);
        return {
          object: 'tool',
          name,
          description,
          input_schema: inputSchema,
          annotations: TOOL_ANNOTATIONS,
        };
      }),

    /**
     * Calls a tool as a model would. What the tool cannot do is a result that says so.
     *
     * @throws AppError `tool_not_found` with the nearest name, `invalid_request` with a pointer for each wrong member,
     *   `project_not_found`; of a tool that calls models `quota_exceeded`, `price_unknown`
     */
    async call(scope: Scope, name: string, input: unknown, how: HandCall): Promise<HandResult> {
      const tool = requireTool(name);
      await requirePlace(db, scope);
      if (tool.spends) await spending.assertMaySpend(scope.workspaceId, 'other');
      const from = performance.now();
      const done = (result: Omit<HandResult, 'object' | 'tool' | 'ms'>): HandResult => ({
        object: 'tool_result',
        tool: name,
        ...result,
        ms: Math.round((performance.now() - from) * 10) / 10,
      });
      try {
        const output = await callTool(tool, input, {
          scope,
          sources: SOURCES,
          ...how,
          maxTokens: RESULT_TOKENS,
          onSpent: (spent) => queryUsage.add(scope, spent),
        });
        const results = createReadResults([], 1);
        const content = results.write({ id: name, name }, output, RESULT_TOKENS);
        const passages = results.shown().map(({ marker, passage, spans }) => {
          const { filename, version, header_path, page, parent_id } = passage;
          const start = spans[0]?.start ?? 0;
          const end = spans.at(-1)?.end ?? passage.text.length;
          const place = { char_start: passage.char_start + start, char_end: passage.char_start + end };
          const text = passage.text.slice(start, end);
          return { marker, filename, version, header_path, page, ...place, parent_id, text };
        });
        const lines = clipTokens(output.lines.join('\n'), RESULT_TOKENS);
        return done({ content, lines, passages, structured: output.structured ?? null, is_error: false });
      } catch (error) {
        if (!(error instanceof AppError) || REFUSALS.has(error.code)) throw error;
        const content = refusalText(error);
        return done({ content, lines: content, passages: [], structured: null, is_error: true });
      }
    },
  };
}

export type ToolService = ReturnType<typeof createToolService>;
