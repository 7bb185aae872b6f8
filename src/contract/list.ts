import { z } from 'zod';
import { kind } from './shared.ts';

/** One page of a list. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .object({
      object: kind('list'),
      data: z.array(item).describe('The entries.'),
      has_more: z.boolean().describe('There are more after these, in the order asked for.'),
      first_id: z.string().nullable().describe('Opaque cursor of the first entry: send it as `before`.'),
      last_id: z.string().nullable().describe('Opaque cursor of the last entry: send it as `after`.'),
    })
    .describe('One page of the list.');

export type List<T> = Omit<z.infer<ReturnType<typeof listOf>>, 'data'> & { data: T[] };

/** A list that is never long enough for pages. */
export const wholeListOf = <T extends z.ZodType>(item: T) =>
  z
    .object({
      object: kind('list'),
      data: z.array(item).describe('The entries.'),
      has_more: z.literal(false).describe('This is all.'),
    })
    .describe('The whole list.');
