import { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { projectIdSchema } from '../contract/project.ts';
import { projectImportSchema } from '../contract/project-import.ts';
import { ON_CONFLICT } from '../services/archives/import.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders, notePayload } from './plumbing/idempotency.ts';
import { preferHeaders, waitPreference } from './plumbing/prefer.ts';
import { problemResponses } from './plumbing/problems.ts';
import { type ReceivedArchive, receiveArchive } from './plumbing/received-archive.ts';
import { formFields, validatorCompiler } from './plumbing/validation.ts';
import { binarySchema, projectNameSchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';

function exportProject(app: App, { archives, projects }: Services): void {
  app.get(
    '/projects/:project_id/export',
    {
      config: { audited: true, isExpensive: true, sends: ['Content-Disposition'] },
      schema: {
        operationId: 'exportProject',
        tags: ['archives'],
        summary: 'Export a project',
        description:
          'The project as one ZIP archive, of the moment of the request: originals of all versions, their Markdown, state, turns with receipts, events and summaries, usage, and vectors unless `vectors=false`. `docs/archive.md` describes it. It is sent as fast as it is read. Where a file or a turn is deleted or tried again before it was read, the answer breaks off: what has arrived then is no archive, and the next request makes one.',
        params: projectParamsSchema,
        querystring: z.object({
          vectors: z
            .enum(['true', 'false'])
            .default('true')
            .describe(
              'Whether the vectors go with it, so that an import with the same embedding model pays for none.',
            ),
        }),
        produces: ['application/zip'],
        response: { 200: binarySchema('The archive.'), ...problemResponses('project_not_found') },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request);
      const withVectors = request.query.vectors === 'true';
      // an archive that is not read would go on being written
      const isHead = request.method === 'HEAD';
      if (isHead) await projects.get(scope);
      const archive = isHead ? Readable.from([]) : await archives.exportProject(scope, { withVectors });
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': contentDisposition.create(`${scope.projectId}.zip`),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .serializer((body: unknown) => body as string)
        .send(archive);
    },
  );
}

const importOptionsSchema = z.object({
  id: projectIdSchema.optional().describe("Of the new project; the archive's own, where you say nothing."),
  name: projectNameSchema.optional(),
  on_conflict: z
    .enum(ON_CONFLICT)
    .optional()
    .describe(
      'When there is a project of the id: `error` (the default) refuses, `rename` imports under an id made from it.',
    ),
  vectors: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      "Whether the archive's vectors are used where they are of this embedding model (the default): `false` for an archive whose maker you do not trust with them.",
    ),
});

const IMPORT_DESCRIPTION =
  'Makes a project of an archive that `exportProject` gave, of this service or another one, on whichever database. All of it is compared with its manifest first, and a broken archive leaves nothing. Turns keep their numbers, receipts and citations, and the state is what it was. Files are ingested again from their originals, and searchable as soon as their status says so; where the archive has vectors of this embedding model, none is paid for again. The body is the archive, or a form with it as `file`; the parameters may also stand in the form before it. Waits up to 20 s for the files (201), else answers 202; `Prefer` changes that.';

function importProject(app: App, { archives, files, projects }: Services, maxImportBytes: number): void {
  app.post(
    '/projects::import',
    {
      config: {
        idempotency: 'archive',
        isExpensive: true,
        spends: 'other',
        sends: ['Location', 'Preference-Applied'],
      },
      // the body is a stream that the handler reads itself; the schema is for the contract
      validatorCompiler: (part) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never),
      schema: {
        operationId: 'importProject',
        tags: ['archives'],
        summary: 'Import a project',
        description: IMPORT_DESCRIPTION,
        querystring: importOptionsSchema,
        headers: idempotencyHeaders.extend(preferHeaders.shape),
        consumes: ['application/zip', 'multipart/form-data'],
        body: binarySchema('The archive.'),
        response: {
          201: projectImportSchema,
          202: projectImportSchema,
          ...problemResponses(
            'no_file_part',
            'unsupported_request_type',
            'archive_invalid',
            'archive_too_new',
            'archive_too_large',
            'too_many_files',
            'project_exists',
            ...IDEMPOTENCY_ERRORS,
          ),
        },
      },
    },
    async (request, reply) => {
      const received = await receiveArchive(request, maxImportBytes).catch((error: unknown) => {
        reply.header('connection', 'close'); // what is left of the body is not read
        throw error;
      });
      const { scope, counts, ignored } = await importReceived(request, received).finally(received.remove);
      const { waitMs, applied } = waitPreference(request);
      if (applied !== null) reply.header('preference-applied', applied);
      const pending = await files.allSettled(scope, waitMs);
      reply.header('location', `/projects/${scope.projectId}`).status(pending > 0 ? 202 : 201);
      return reply.send({
        object: 'project_import' as const,
        project: await projects.get(scope),
        imported: counts,
        ignored,
        pending_files: pending,
      });
    },
  );

  async function importReceived(
    request: FastifyRequest<{ Querystring: z.infer<typeof importOptionsSchema> }>,
    { path, fields, digest }: ReceivedArchive,
  ) {
    notePayload(request, digest);
    const { id, name, on_conflict, vectors } = {
      ...request.query,
      ...formFields(importOptionsSchema, fields),
    };
    return archives.importProject(request.principal.workspaceId, path, {
      id,
      name,
      onConflict: on_conflict ?? 'error',
      withVectors: vectors !== 'false',
    });
  }
}

/** Projects out and in, as archives. */
export const archiveRoutes: FastifyPluginAsyncZod<{ services: Services; maxImportBytes: number }> = async (
  app,
  { services, maxImportBytes },
) => {
  app.addContentTypeParser(
    ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'],
    (_request, _payload, done) => done(null),
  );
  exportProject(app, services);
  importProject(app, services, maxImportBytes);
};
