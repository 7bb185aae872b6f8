import { z } from 'zod';

/** One page of a list. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    first_id: z.string().nullable().describe('Opaque cursor of the first entry: send it as `before`.'),
    last_id: z.string().nullable().describe('Opaque cursor of the last entry: send it as `after`.'),
  });

export type List<T> = Omit<z.infer<ReturnType<typeof listOf>>, 'data'> & { data: T[] };

/** A list that is never long enough for pages. */
export const wholeListOf = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item), has_more: z.literal(false) });
