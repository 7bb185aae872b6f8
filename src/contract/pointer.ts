import { z } from 'zod';
import { currencyMembers, rangeSchema, versionMembers } from './version-read.ts';

/** What a pointer leads to. */
export const pointerSchema = z
  .object({
    object: z.literal('pointer'),
    pointer_id: z.string(),
    state: z
      .enum(['ready', 'stale', 'pending', 'unsupported_format', 'gone'])
      .describe('`gone`: the section is not there any more as it was; `nearest` says where to go on.'),
    ...currencyMembers,
    filename: z.string(),
    ...versionMembers,
    header_path: z.array(z.string()),
    text: z.string(),
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
        pointer_id: z.string(),
        text: z.string(),
        level: z.int(),
        header_path: z.array(z.string()),
      })
      .nullable()
      .describe('Of a pointer that is gone: the nearest heading that is left.'),
  })
  .meta({ id: 'Pointer' });
export type Pointer = z.infer<typeof pointerSchema>;
