import { z } from 'zod';
import { citationSchema } from './citation.ts';
import { fileSchema } from './file.ts';
import { filenameSchema, kind } from './shared.ts';

/** What `list_project_files` gives as values. */
export const listedFilesSchema = z.object({
  files: z
    .array(
      z.object({
        filename: filenameSchema,
        status: fileSchema.shape.status.describe('How far the file is.'),
        tokens: z.int().describe('Tokens of the text.'),
        summary: z.string().nullable().describe('What is in it; null until it was summarised.'),
      }),
    )
    .describe('Files that can be read.'),
  artifacts: z
    .array(
      z.object({
        name: z.string().describe('What it is asked for by.'),
        title: z.string().describe('The title.'),
        tokens: z.int().describe('Tokens of the text.'),
      }),
    )
    .describe('Documents that are rendered from the state.'),
});

/** What `document_outline` and `find_sections` give as values. */
export const listedPointersSchema = z.object({
  pointers: z
    .array(
      z.object({
        pointer_id: z.string().describe('Reads it.'),
        title: z.string().describe('The title.'),
        tokens: z.int().describe('Tokens of the text.'),
        score: z.number().nullable().describe('Confidence that it bears on the query; null in an outline.'),
      }),
    )
    .describe('Where to read on.'),
});

/** A tool as it is listed. */
export const toolSchema = z
  .object({
    object: kind('tool'),
    name: z.string().describe('The name of the tool.'),
    description: z.string().describe('For the model that is to call it: when to, and when not.'),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the input.'),
    annotations: z
      .object({
        readOnlyHint: z.literal(true).describe('It changes nothing.'),
        idempotentHint: z.literal(true).describe('The same call does the same again.'),
        openWorldHint: z.literal(false).describe('It reads nothing but what is stored here.'),
      })
      .describe('What the Model Context Protocol says of tools.'),
  })
  .meta({ id: 'Tool', description: 'A tool as it is listed.' });
export type ToolListing = z.infer<typeof toolSchema>;

/** What a call by hand gives. */
export const toolResultSchema = z
  .object({
    object: kind('tool_result'),
    tool: z.string().describe('The name of the tool.'),
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
          .extend({ text: z.string().describe('The text of the passage.') }),
      )
      .describe('The stretches of documents in `content`, each under the number that cites it.'),
    structured: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The same as values, where it is more than text.'),
    is_error: z
      .boolean()
      .describe('It could not be done, and `content` says why: a file that is not there, for one.'),
    ms: z.number().describe('How long it took, in milliseconds.'),
  })
  .meta({ id: 'ToolResult', description: 'What a call by hand gives.' });
export type ToolResult = z.infer<typeof toolResultSchema>;
