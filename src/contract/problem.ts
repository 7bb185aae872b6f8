import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../errors.ts';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 problem document with the members of this contract. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('URL of the description of this kind of problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened, and what to do about it.'),
    instance: z.string().describe('Path of the request.'),
    code: z.enum(codes).describe('Stable name of the kind of problem.'),
    request_id: z.string(),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
    retry_after_s: z.number().optional(),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string(), code: z.string() }))
      .optional()
      .describe('The fields that are wrong, as JSON pointers into the body or names of parameters.'),
  })
  .meta({
    id: 'Problem',
    description: 'An error, as RFC 9457 says. Clients must ignore members they do not know.',
  });
export type Problem = z.infer<typeof problemSchema>;

/** What the address in a problem's `type` tells. */
export const problemTypeSchema = z.object({
  object: z.literal('problem_type'),
  code: z.string(),
  title: z.string(),
  status: z.int(),
  retryable: z.boolean(),
});
