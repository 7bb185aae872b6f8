import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { fileSchema } from './file.ts';

/** What `list_project_files` gives as values. */
export const listedFilesSchema = z.object({
  files: z.array(
    z.object({
      filename: z.string(),
      status: fileSchema.shape.status,
      tokens: z.int(),
      summary: z.string().nullable(),
    }),
  ),
  artifacts: z.array(z.object({ name: z.string(), title: z.string(), tokens: z.int() })),
});

/** What `document_outline` and `find_sections` give as values. */
export const listedPointersSchema = z.object({
  pointers: z.array(
    z.object({
      pointer_id: z.string(),
      title: z.string(),
      tokens: z.int(),
      score: z.number().nullable().describe('Confidence that it bears on the query; null in an outline.'),
    }),
  ),
});

/** A tool as it is listed. */
export const toolSchema = z
  .object({
    object: z.literal('tool'),
    name: z.string(),
    description: z.string().describe('For the model that is to call it: when to, and when not.'),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the input.'),
    annotations: z.object({
      readOnlyHint: z.literal(true),
      idempotentHint: z.literal(true),
      openWorldHint: z.literal(false),
    }),
  })
  .meta({ id: 'Tool' });
export type ToolListing = z.infer<typeof toolSchema>;

/** What a call by hand gives. */
export const toolResultSchema = z
  .object({
    object: z.literal('tool_result'),
    tool: z.string(),
    content: z.string().describe('What a model is given.'),
    passages: z
      .array(
        citationSchema
          .pick({
            marker: true,
            filename: true,
            version: true,
            header_path: true,
            page: true,
            char_start: true,
            char_end: true,
            parent_id: true,
          })
          .extend({ text: z.string() }),
      )
      .describe('The stretches of documents in `content`, each under the number that cites it.'),
    structured: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The same as values, where it is more than text.'),
    is_error: z
      .boolean()
      .describe('It could not be done, and `content` says why: a file that is not there, for one.'),
    ms: z.number(),
  })
  .meta({ id: 'ToolResult' });
export type ToolResult = z.infer<typeof toolResultSchema>;
