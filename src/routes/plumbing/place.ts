import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import { libraryScope, type Scope } from '../../scope.ts';
import { type Addressed, projectParamsSchema, projectScope } from './wire.ts';

/** Where files are kept, as routes see it. An operation on files is written once, and registered for each place. */
export interface Place {
  /** What its addresses begin with. */
  prefix: '/projects/:project_id' | '/library';
  params: z.ZodObject<Record<never, z.ZodString>>;
  /** @throws AppError `project_not_found` for an id that no project can have */
  scopeOf(request: Addressed): Scope;
  /** The code for a place that is not there; the library always is. */
  missing: ErrorCode[];
  /**
   * What names an operation in the contract.
   *
   * @param named as for a project: `listFiles` is `listLibraryFiles` in the library
   * @param tag in a project
   */
  operation(named: {
    operationId: string;
    tag: string;
    summary: string;
    description: string;
  }): OperationNames;
}

interface OperationNames {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
}

export const projectPlace: Place = {
  prefix: '/projects/:project_id',
  params: projectParamsSchema,
  scopeOf: ({ principal, params }) => projectScope({ principal, params: projectParamsSchema.parse(params) }),
  missing: ['project_not_found'],
  operation: ({ tag, ...names }) => ({ ...names, tags: [tag] }),
};

export const libraryPlace: Place = {
  prefix: '/library',
  params: z.object({}),
  scopeOf: ({ principal }) => libraryScope(principal.workspaceId),
  missing: [],
  operation: ({ operationId, summary, description }) => ({
    operationId: operationId.replace(/^[a-z]+/, '$&Library'),
    tags: ['library'],
    summary: `${summary} (library)`,
    description: `In the library that all projects of the workspace share. ${description}`,
  }),
};

/** The path of one file of a place. */
export const fileParamsOf = ({ params }: Place) =>
  params.extend({ name: z.string().max(2_000).describe('The name of the file, percent-encoded.') });
