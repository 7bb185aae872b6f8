import { z } from 'zod';
import type { Outline } from '../../contract/outline.ts';
import { listedPointersSchema } from '../../contract/tool.ts';
import { outlineTag } from '../outlines/outlines.ts';
import type { OutlineService } from '../outlines/service.ts';
import { inSources } from './in-sources.ts';
import type { KnownOutlines, Tool } from './tool.ts';

const input = z.strictObject({
  filename: z.string().min(1).max(2_000).describe('As it is listed.'),
  levels: z.int().min(1).max(20).optional().describe('Only so many levels of headings from the top.'),
});

/** The tree of a document's headings with sizes and pointers. */
export function documentOutline(outlines: Pick<OutlineService, 'outline'>): Tool<typeof input> {
  return {
    name: 'document_outline',
    kind: 'outline',
    spends: false,
    description:
      "Lists a document's headings with their sizes in tokens and the pointer that reads each. First call for a question about a whole document, or that names a heading or section. Not for a single fact, and not twice.",
    input,
    values: listedPointersSchema,
    async run({ filename, levels }, { maxTokens, outlines: known, ...where }) {
      const budget = { maxTokens, includeBlurbs: false, ...(levels !== undefined && { levels }) };
      const asked = levels ?? Number.POSITIVE_INFINITY;
      const before = known?.get(filename);
      const isKnown = (tag: string): boolean => before?.tag === tag && asked <= before.levels;
      const outline = await inSources(where, (scope) => outlines.outline(scope, filename, budget, isKnown));
      if (!outline) {
        const unchanged = `The outline of ${filename} has not changed since you were given it: use that one.`;
        return { lines: [unchanged], passages: [] };
      }
      if (known) remember(known, filename, outline, asked);
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
        structured: {
          pointers: outline.nodes.map(({ pointer_id, text, token_estimate }) => ({
            pointer_id,
            title: text,
            tokens: token_estimate,
            score: null,
          })),
        },
      };
    },
  };
}

function remember(known: KnownOutlines, filename: string, outline: Outline, levels: number): void {
  const { outline_digest: digest, state } = outline;
  // what an outline that was cut left out can be asked for again
  if (digest !== null && !outline.truncated) known.set(filename, { tag: outlineTag(digest, state), levels });
}
