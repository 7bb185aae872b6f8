import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fileSchema } from '../contract/file.ts';
import { AppError } from '../errors.ts';
import type { UploadCondition } from '../services/file-uploads.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifMatchAllows, ifMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { preferHeaders, waitPreference } from './plumbing/prefer.ts';
import { problemResponses } from './plumbing/problems.ts';
import { fileUrl, UPLOAD_RESULT } from './plumbing/upload-answer.ts';
import { uploadOptions, uploadOptionsSchema } from './plumbing/upload-options.ts';
import { type UploadLimits, uploadedBody, uploadLimits } from './plumbing/uploads.ts';
import { validatorCompiler } from './plumbing/validation.ts';
import { binarySchema } from './plumbing/wire.ts';

/** The preconditions of a request, for the content that the file has by then. */
const preconditionOf =
  (request: FastifyRequest, name: string): UploadCondition =>
  (current) => {
    const etag = current && etagOf(current.sha256);
    const isRefused =
      etag === null ? request.headers['if-match'] !== undefined : !ifMatchAllows(request, etag);
    if (isRefused || (etag !== null && isUnchanged(request, etag))) {
      throw new AppError('precondition_failed', {
        detail: etag
          ? `"${name}" is there with the ETag ${etag}. Read it again, and decide whether to replace it.`
          : `There is no file "${name}" any more, so that If-Match names nothing.`,
      });
    }
  };

const ERRORS = [
  'precondition_failed',
  'empty_file',
  'invalid_file_name',
  'unsupported_media_type',
  'file_too_large',
  'too_many_files',
  'contexts_unavailable',
] as const;

function putFileContent(app: App, { files }: Services, place: Place, limits: UploadLimits): void {
  app.put(
    `${place.prefix}/files/:name/content`,
    {
      validatorCompiler: (part) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never),
      config: {
        isExpensive: true,
        spends: 'other',
        sends: ['ETag', 'Location', 'Upload-Result', 'Preference-Applied'],
      },
      schema: {
        ...place.operation({
          operationId: 'putFileContent',
          tag: 'files',
          summary: 'Replace the content',
          description:
            'The body is the file, with any content type. Makes a new version, or the file where there is none (201); the same bytes again make no work. `If-Match` with the ETag of the content replaces only what you have read; `If-None-Match: *` only makes. Edits close after each other are read together: a rebuild begins 750 ms after the last of them, at most once in 5 s, and the version before stays readable, marked as stale, until it is done. Waits and answers like an upload.',
        }),
        params: fileParamsOf(place),
        querystring: uploadOptionsSchema.omit({ on_duplicate: true }),
        headers: ifMatchHeaders.extend({
          'if-none-match': z
            .string()
            .optional()
            .describe('`*`: only makes a file; an `ETag`: replaces only what is not that.'),
          ...preferHeaders.shape,
        }),
        consumes: ['application/octet-stream'],
        body: binarySchema('The bytes of the file.'),
        response: {
          200: fileSchema,
          201: fileSchema,
          202: fileSchema,
          ...problemResponses(...place.missing, ...ERRORS),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const { name } = request.params;
      const condition = preconditionOf(request, name);
      condition(await files.contentTag(scope, name)); // refused before the body is read, and again when it is stored
      const content = await uploadedBody(request, name, limits).catch((error: unknown) => {
        reply.header('connection', 'close'); // what is left of the body is not read
        throw error;
      });
      const options = { ...uploadOptions(request.query, {}), isEdit: true };
      const { stored, result } = await files.upload(scope, { name, ...content }, options, condition);
      const { waitMs, applied } = waitPreference(request);
      if (applied !== null) reply.header('preference-applied', applied);
      const settled = await files.settledSince(scope, stored, waitMs);
      const isPending = settled.status === 'queued' || settled.status === 'in_progress';
      return reply
        .status(isPending ? 202 : result === 'created' ? 201 : 200)
        .headers({
          location: fileUrl(scope, settled.name),
          [UPLOAD_RESULT]: result,
          etag: etagOf(settled.sha256),
        })
        .send(settled);
    },
  );
}

/** A file by its own address: its content replaced, or made. */
export const fileReplaceRoutes: FastifyPluginAsyncZod<{
  services: Services;
  place: Place;
  maxUploadBytes: number;
}> = async (app, { services, place, maxUploadBytes }) => {
  // whatever its type is said to be, the body is the file: name and bytes decide what it is
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  putFileContent(app, services, place, uploadLimits(maxUploadBytes));
};
