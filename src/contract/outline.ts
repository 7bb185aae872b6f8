import { z } from 'zod';
import { filenameSchema, kind } from './shared.ts';
import { timeSchema } from './time.ts';
import { currencyMembers, rangeSchema, versionMembers } from './version-read.ts';

const nodeSchema = z
  .object({
    id: z.string().describe('Stays the same while heading path and own text do.'),
    parent_id: z.string().nullable().describe('The node above; null at the top.'),
    level: z.int().describe('Heading level of Markdown, 1 to 6; depth in YAML, JSON and CSV.'),
    text: z.string().describe('Heading, key, first words of a paragraph, or page.'),
    char_range: rangeSchema.describe('The node with everything below it.'),
    chunk_id: z.string().nullable().describe('The leaf that holds its beginning.'),
    blurb: z.string().nullable().describe('What stands in it, at most 240 characters.'),
    token_estimate: z.int().describe('Of everything in its range.'),
    pointer_id: z.string().describe('Reads it: GET /projects/{project_id}/pointers/{pointer_id}.'),
    children: z.array(z.string()).describe('Ids of the nodes right below it that are part of this answer.'),
  })
  .meta({ id: 'OutlineNode', description: 'A node of an outline: a heading, a key, a paragraph or a page.' });

/** The outline of a file, or what is to be said in its place: there are no nodes then. */
export const outlineSchema = z
  .object({
    object: kind('outline'),
    filename: filenameSchema,
    state: z
      .enum(['ready', 'pending', 'stale', 'unsupported_format'])
      .describe(
        '`pending`: the document, or its outline, is being read. `unsupported_format`: it could not be read as text.',
      ),
    ...currencyMembers,
    ...versionMembers,
    generated_at: timeSchema.nullable().describe('When it was made; null without one. RFC 3339, UTC.'),
    outline_digest: z
      .string()
      .nullable()
      .describe('Send it as `If-None-Match` to learn that nothing changed.'),
    nodes: z.array(nodeSchema).describe('In document order, parents before their children.'),
    total_nodes: z.int().describe('Of the whole outline.'),
    truncated: z.boolean().describe('Nodes were left out, the deepest levels first.'),
    guardrail: z
      .string()
      .nullable()
      .describe('`huge_document_guardrail`: of a document over 5 MB only the top levels are kept.'),
    token_estimate: z.int().describe('Of the whole document.'),
    tokens: z.int().describe('About how many tokens these nodes are.'),
  })
  .meta({ id: 'Outline', description: 'The outline of a file, or what is to be said in its place.' });
export type Outline = z.infer<typeof outlineSchema>;

/** Grows with every change of what is built: a stored outline of another build is not what would be built today. */
export const OUTLINE_BUILD = 2;
