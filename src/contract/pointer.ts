import { z } from 'zod';
import { filenameSchema, headerPathSchema, kind } from './shared.ts';
import { currencyMembers, rangeSchema, versionMembers } from './version-read.ts';

/** What a pointer leads to. */
export const pointerSchema = z
  .object({
    object: kind('pointer'),
    pointer_id: z.string().describe('Names the section or chunk.'),
    state: z
      .enum(['ready', 'stale', 'pending', 'unsupported_format', 'gone'])
      .describe('`gone`: the section is not there any more as it was; `nearest` says where to go on.'),
    ...currencyMembers,
    filename: filenameSchema,
    ...versionMembers,
    header_path: headerPathSchema,
    text: z.string().describe('The text; empty where there is none.'),
    char_range: rangeSchema.nullable().describe('Of the text given.'),
    section_range: rangeSchema.nullable().describe('Of everything that the pointer names.'),
    tokens: z.int().describe('Of the text given.'),
    token_estimate: z.int().describe('Of everything that the pointer names.'),
    continuation: z
      .string()
      .nullable()
      .describe('Send it as `continuation` to read on; null: this was the end.'),
    nearest: z
      .object({
        pointer_id: z.string().describe('Reads it.'),
        text: z.string().describe('The heading.'),
        level: z.int().describe('Its heading level, from 1.'),
        header_path: headerPathSchema,
      })
      .nullable()
      .describe('Of a pointer that is gone: the nearest heading that is left.'),
  })
  .meta({ id: 'Pointer', description: 'What a pointer leads to.' });
export type Pointer = z.infer<typeof pointerSchema>;
