import { z } from 'zod';
import { turnNotFound } from '../../errors.ts';
import { projectParamsSchema } from './wire.ts';

export const turnParamsSchema = projectParamsSchema.extend({
  // text on its way: a malformed one answers 404 and not 400
  n: z
    .custom<string>((text) => typeof text === 'string' && text.length <= 20)
    .meta({ type: 'integer', minimum: 1, description: 'The number of the turn, from 1.' }),
});

/**
 * The number in a path; a malformed one is one that no turn has.
 *
 * @throws AppError `turn_not_found`
 */
export function turnNumberOf(params: z.infer<typeof turnParamsSchema>): number {
  const number = /^[1-9]\d{0,8}$/.test(params.n) ? Number(params.n) : null;
  if (number === null) throw turnNotFound(params.project_id, params.n);
  return number;
}
