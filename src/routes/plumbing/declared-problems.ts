import type { ErrorCode } from '../../errors.ts';
import { problemsOf } from './problems.ts';

/** The responses of an operation by their status, as its schema has them. */
export type Responses = Record<string, { description?: string; content?: object }>;

/** The responses of an operation with some problems more, which it can be refused with before it is asked. */
export function addProblems(own: Responses, ...codes: ErrorCode[]): Responses {
  const all = { ...own };
  for (const [status, response] of Object.entries(problemsOf(codes) as Responses)) {
    const { description, content } = own[status] ?? {};
    all[status] = {
      ...response,
      // both descriptions, where the operation has its own of this status
      ...(description !== undefined && { description: `${description}. ${response.description}` }),
      content: { ...content, ...response.content },
    };
  }
  return all;
}
