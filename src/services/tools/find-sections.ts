import { z } from 'zod';
import { listedPointersSchema } from '../../contract/tool.ts';
import type { OutlineService } from '../outlines/service.ts';
import { inSources } from './in-sources.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  filename: z.string().min(1).max(2_000).describe('As it is listed.'),
  query: z.string().trim().min(1).max(2_000).describe('What the section is to be about.'),
  top_k: z.int().min(1).max(12).default(6),
});

/** The sections of one document that bear on a query, as pointers. */
export function findSections(outlines: Pick<OutlineService, 'findSections'>): Tool<typeof input> {
  return {
    name: 'find_sections',
    kind: 'outline',
    spends: true,
    description:
      'Finds the sections of one document that bear on a query, best first, each with a pointer and a line of it. Read what you need with read_pointer. For a section of a long document. Not where search can give the text itself at once.',
    input,
    values: listedPointersSchema,
    async run({ filename, query, top_k }, { signal, onSpent, ...where }) {
      const asked = { query, topK: top_k, minConfidence: 0, headerPath: [] };
      const found = await inSources(where, (scope) =>
        outlines.findSections(scope, filename, asked, signal, onSpent),
      );
      const lines = found.pointers.map(({ outline_context, score, preview, token_estimate, pointer_id }) => {
        const place = outline_context?.header_path.join(' > ') || found.filename;
        return `- ${place} (confidence ${score.toFixed(2)}, ${token_estimate} tokens; ${pointer_id}): ${preview}`;
      });
      const none = lines.length === 0 ? [found.detail ?? `Nothing in ${found.filename} bears on this.`] : [];
      const pointers = found.pointers.map(({ outline_context, score, token_estimate, pointer_id }) => ({
        pointer_id,
        title: outline_context?.header_path.at(-1) ?? found.filename,
        tokens: token_estimate,
        score,
      }));
      return { lines: [...none, ...lines], passages: [], structured: { pointers } };
    },
  };
}
