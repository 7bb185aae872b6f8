import type { ErrorCode } from '../../errors.ts';
import { codesIn, problemsOf } from './problems.ts';

/** The responses of an operation by their status, as its schema has them. */
export type Responses = Record<string, { description?: string; content?: object }>;

/** The responses of an operation with some problems more, which it can be refused with before it is asked. */
export function addProblems(own: Responses, ...codes: ErrorCode[]): Responses {
  const all = { ...own };
  const said = new Set(Object.values(own).flatMap(({ description }) => codesIn(description ?? '')));
  const further = codes.filter((code) => !said.has(code));
  for (const [status, response] of Object.entries(problemsOf(further) as Responses)) {
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
