import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
import { selectParentsWithin } from '../../db/parents.ts';
import { passageOf } from '../../retrieval/read-section.ts';
import { sourceOf } from '../../scope.ts';
import type { OutlineService } from '../outlines/service.ts';
import { inSources } from './in-sources.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  pointer_id: z.string().min(1).max(2_500).describe('As an outline or a search gave it.'),
  continuation: z.string().max(200).optional().describe('From the answer before, to read on.'),
});

/** The text that a pointer names. */
export function readPointer(db: Queryable, outlines: Pick<OutlineService, 'hydrate'>): Tool<typeof input> {
  return {
    name: 'read_pointer',
    kind: 'outline',
    spends: false,
    description:
      'Reads the text behind a pointer: a section with all below it, or a chunk. A long one comes in parts, each with the continuation that reads on. Not for pointers that you were not given.',
    input,
    async run({ pointer_id, continuation = null }, { maxTokens, ...where }) {
      const { scope, read } = await inSources(where, async (place) => ({
        scope: place,
        read: await outlines.hydrate(place, pointer_id, { maxTokens, continuation }),
      }));
      const { filename, version, char_range: range, detail, nearest } = read;
      const lines = [
        ...(detail === null ? [] : [detail]),
        ...(nearest ? [`The nearest heading that is left: ${nearest.text} (${nearest.pointer_id})`] : []),
        ...(read.continuation === null
          ? []
          : [
              `This is a part of ${read.token_estimate} tokens. To read on, continuation: ${read.continuation}`,
            ]),
      ];
      if (version === null || range === null) return { lines, passages: [] };
      const parents = await selectParentsWithin(db, scope, { filename, version, ...range });
      const passages = parents.map((parent) => ({
        passage: passageOf(parent, sourceOf(scope)),
        start: Math.max(0, range.start - parent.char_start),
        end: Math.min(parent.text.length, range.end - parent.char_start),
      }));
      return { lines, passages };
    },
  };
}
