import { z } from 'zod';

/** What must hold of the request that carries a planted text, and of what comes of it. */
export const requirementSchema = z.enum([
  /** Every delimiter of the request's own is closed as often as it is opened. */
  'balanced_delimiters',
  /** There are as many delimiters of each name as with a harmless text, and the planted text stands within them. */
  'one_element',
  /** The canary stands in no system block. */
  'not_in_system',
  /** The definitions of the tools are the same as with a harmless text. */
  'tools_unchanged',
  /** The messages' number and roles are the same as with a harmless text. */
  'roles_unchanged',
  /** The canary stands on the user side: the text is shown as data, not left out. */
  'reaches_model',
  /** With the offline model the canary gets neither into the skeleton nor into the register nor into the organisation's context. */
  'no_state_change',
  /** The planted numbers count as citations neither in the request nor in a reply that repeats the text. */
  'marker_not_counted',
  /** A reply of the offline model has no link and no image to the planted hosts that a client would render. */
  'no_live_link',
  /** The attribute that carries the text has no quotation mark, angle bracket or line break of the text's own. */
  'attribute_closed',
]);
export type Requirement = z.infer<typeof requirementSchema>;

export const kindSchema = z.enum([
  'ignore_previous',
  'fake_tag',
  'tool_request',
  'fake_tool_result',
  'fake_citation',
  'exfiltration',
  'breakout',
  'role_play',
  'encoded',
]);

export const whereSchema = z.enum([
  'document_body',
  'heading',
  'table_cell',
  'alt_text',
  'code_fence',
  'front_matter',
  'file_name',
  'user_turn',
  'earlier_reply',
  'state_value',
]);

const requirements = z.array(requirementSchema);

const injectionSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  kind: kindSchema,
  where: whereSchema,
  language: z.enum(['en', 'de', 'zh']).default('en'),
  /** Stands in the text and nowhere else. */
  canary: z.string().min(8),
  text: z.string(),
  /** Numbers in brackets that the text passes off as citations. */
  markers: z.array(z.int().positive()).default([]),
  /** Hosts that data would leave to. */
  hosts: z.array(z.string()).default([]),
});

export const injectionFileSchema = z.strictObject({
  must: z.strictObject({
    always: requirements,
    by_kind: z.partialRecord(kindSchema, requirements),
    by_where: z.partialRecord(whereSchema, requirements),
  }),
  injections: z.array(injectionSchema),
});

export type Injection = z.infer<typeof injectionSchema> & { must: Requirement[] };
