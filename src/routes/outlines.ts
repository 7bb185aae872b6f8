import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { outlineSchema } from '../contract/outline.ts';
import { pointerSchema } from '../contract/pointer.ts';
import { sectionsSchema } from '../contract/sections.ts';
import { outlineTag } from '../services/outlines/outlines.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';

const MOST_TOKENS = 50_000;
const MOST_NODES = 20_000;
/** More than the headings of any document of prose; an answer of this length takes some 30 ms to write. */
const DEFAULT_NODES = 3_000;
const query = (what: string, most: number) =>
  z.coerce.number().int().min(1).max(most).optional().describe(what);

const outlineQuerySchema = z.object({
  levels: query('So many levels from the top.', 100),
  include_blurbs: z.stringbool().default(true).meta({
    type: 'boolean',
    default: true,
    description: 'Whether nodes say in a line what stands in them.',
  }),
  max_nodes: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_NODES)
    .default(DEFAULT_NODES)
    .describe('At most so many nodes: the deepest levels go first.'),
  max_tokens: query('At most about so many tokens of outline: the deepest levels go first.', 1_000_000),
});

const sectionsRequestSchema = z
  .strictObject({
    query: z.string().trim().min(1).max(8_000).describe('What is looked for, in words of any language.'),
    top_k: z.int().min(1).max(50).default(6).describe('At most so many sections.'),
    min_confidence: z
      .number()
      .min(0)
      .max(1)
      .default(0.3)
      .describe('The least confidence of a section, 0 to 1.'),
    filters: z
      .strictObject({
        header_path: z
          .array(z.string().max(2_000))
          .max(10)
          .default([])
          .describe('Headings that the section stands under, outermost first.'),
      })
      .prefault({})
      .describe('Where to look.'),
  })
  .meta({ examples: [{ query: 'How long is the notice period?', top_k: 3 }] });

function getOutline(app: App, { outlines }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name/outline`,
    {
      config: { sends: ['ETag', 'Retry-After'] },
      schema: {
        ...place.operation({
          operationId: 'getOutline',
          tag: 'outlines',
          summary: 'Read the outline',
          description:
            'The headings of a Markdown or Word document, the keys of YAML and JSON, the rows of a CSV file by hundreds, the paragraphs of a text, the pages of a PDF: each with its range, its size and a pointer that reads it. Whatever is wrong with the document is a `state`, not an error.',
        }),
        params: fileParamsOf(place),
        querystring: outlineQuerySchema,
        headers: ifNoneMatchHeaders,
        response: {
          200: outlineSchema,
          304: z.null().describe('Unchanged.'),
          ...problemResponses(...place.missing, 'file_not_found'),
        },
      },
    },
    async (request, reply) => {
      const {
        levels,
        include_blurbs: includeBlurbs,
        max_nodes: maxNodes,
        max_tokens: maxTokens,
      } = request.query;
      const budget = {
        includeBlurbs,
        ...(levels !== undefined && { levels }),
        maxNodes,
        ...(maxTokens !== undefined && { maxTokens }),
      };
      const outline = await outlines.outline(place.scopeOf(request), request.params.name, budget, (tag) => {
        reply.header('etag', etagOf(tag));
        return isUnchanged(request, etagOf(tag));
      });
      if (!outline) return reply.status(304).send(null);
      if (outline.outline_digest !== null) {
        reply.header('etag', etagOf(outlineTag(outline.outline_digest, outline.state)));
      }
      if (outline.retry_after_ms !== null) {
        reply.header('retry-after', Math.ceil(outline.retry_after_ms / 1_000));
      }
      return outline;
    },
  );
}

function findSections(app: App, { outlines }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files/:name/sections`,
    {
      config: { access: 'read', isExpensive: true, spends: 'other' },
      schema: {
        ...place.operation({
          operationId: 'findSections',
          tag: 'outlines',
          summary: 'Find sections of a file',
          description:
            'Which sections of one document to read for a question: pointers with a confidence, a preview and their size, not the text. Sections under `min_confidence` are left out.',
        }),
        params: fileParamsOf(place),
        body: sectionsRequestSchema,
        response: {
          200: sectionsSchema,
          ...problemResponses(...place.missing, 'file_not_found', 'invalid_json'),
        },
      },
    },
    async (request) => {
      const { query: text, top_k: topK, min_confidence: minConfidence, filters } = request.body;
      return outlines.findSections(place.scopeOf(request), request.params.name, {
        query: text,
        topK,
        minConfidence,
        headerPath: filters.header_path,
      });
    },
  );
}

function readPointer(app: App, { outlines }: Services, place: Place): void {
  app.get(
    `${place.prefix}/pointers/:pointer_id`,
    {
      schema: {
        ...place.operation({
          operationId: 'readPointer',
          tag: 'outlines',
          summary: 'Read what a pointer names',
          description:
            'The text of a section or a chunk, at most `max_tokens` of it; `continuation` reads on. A pointer stays valid in later versions while its section (its heading, and its text down to the next heading) is unchanged; after that it is `gone`, with the nearest heading that is left.',
        }),
        params: place.params.extend({
          pointer_id: z.string().max(2_200).describe('`outline:…` or `chunk:…`, percent-encoded.'),
        }),
        querystring: z.object({
          max_tokens: z.coerce
            .number()
            .int()
            .min(1)
            .max(MOST_TOKENS)
            .default(2_000)
            .describe('At most so many tokens of text, but a word at least.'),
          continuation: z.string().max(100).optional().describe('Of the answer before.'),
        }),
        response: {
          200: pointerSchema,
          ...problemResponses(...place.missing, 'file_not_found', 'pointer_not_found', 'invalid_cursor'),
        },
      },
    },
    async (request) => {
      const { max_tokens: maxTokens, continuation } = request.query;
      return outlines.hydrate(place.scopeOf(request), request.params.pointer_id, {
        maxTokens,
        continuation: continuation ?? null,
      });
    },
  );
}

/** Walking a document in narrow slices: its outline, its sections, the text behind a pointer. */
export const outlineRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  getOutline(app, services, place);
  findSections(app, services, place);
  readPointer(app, services, place);
};
