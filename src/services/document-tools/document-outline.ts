import { z } from 'zod';
import type { OutlineService } from '../outlines/service.ts';
import { inSources } from './in-sources.ts';
import type { DocumentTool } from './tool.ts';

const input = z.strictObject({
  filename: z.string().min(1).max(2_000).describe('As it is listed.'),
  levels: z.int().min(1).max(20).optional().describe('Only so many levels of headings from the top.'),
});

/** The tree of a document's headings with sizes and pointers. */
export function documentOutline(outlines: Pick<OutlineService, 'outline'>): DocumentTool<typeof input> {
  return {
    name: 'document_outline',
    description:
      "Lists a document's headings with their sizes in tokens and the pointer that reads each. First call for a question about a whole document.",
    input,
    async run({ filename, levels }, { maxTokens, ...where }) {
      const budget = { maxTokens, includeBlurbs: false, ...(levels !== undefined && { levels }) };
      const outline = await inSources(where, (scope) =>
        outlines.outline(scope, filename, budget, () => false),
      );
      if (!outline) return { lines: [], passages: [] };
      const depths = new Map<string, number>();
      const lines = outline.nodes.map(({ id, parent_id, text, token_estimate, pointer_id }) => {
        const depth = parent_id === null ? 0 : (depths.get(parent_id) ?? 0) + 1;
        depths.set(id, depth);
        return `${'  '.repeat(depth)}- ${text} (${token_estimate} tokens; ${pointer_id})`;
      });
      const left = outline.total_nodes - lines.length;
      return {
        lines: [
          `${outline.filename}: ${outline.state}, ${outline.token_estimate} tokens, ${outline.total_nodes} headings.`,
          ...(outline.detail === null ? [] : [outline.detail]),
          ...(left > 0 ? [`${left} of them, the deepest, are not listed.`] : []),
          ...lines,
        ],
        passages: [],
      };
    },
  };
}
