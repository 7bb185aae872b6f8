import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../errors.ts';
import { kind } from './shared.ts';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 problem document with the members of this contract. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('URL of the description of this kind of problem.'),
    title: z.string().describe('The kind of problem in words: the same whenever this code is.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What happened, and what to do about it.'),
    instance: z.string().describe('Path of the request.'),
    code: z.enum(codes).describe('Stable name of the kind of problem.'),
    request_id: z.string().describe('The name of the request in logs: quote it when you report the problem.'),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
    retry_after_s: z
      .number()
      .optional()
      .describe('Seconds after which trying again makes sense; absent where nothing is known of that.'),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .describe('A JSON pointer into the body (`/message`), or the name of a parameter or header.'),
          detail: z.string().describe('What is wrong with it.'),
          code: z.string().describe('Stable name of what is wrong.'),
        }),
      )
      .optional()
      .describe('The fields that are wrong, as JSON pointers into the body or names of parameters.'),
  })
  .meta({
    id: 'Problem',
    description: 'An error, as RFC 9457 says. Clients must ignore members they do not know.',
  });
export type Problem = z.infer<typeof problemSchema>;

/** What the address in a problem's `type` tells. */
export const problemTypeSchema = z
  .object({
    object: kind('problem_type'),
    code: z.string().describe('Stable name of the kind of problem.'),
    title: z.string().describe('The kind of problem in words: the same whenever this code is.'),
    status: z.int().describe('The HTTP status.'),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
  })
  .meta({ id: 'ProblemType', description: 'What a code means.' });
