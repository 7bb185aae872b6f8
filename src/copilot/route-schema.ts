import { z } from 'zod';
import { routingSchema } from '../contract/routing.ts';
import type { Knowledge } from '../knowledge/entry.ts';

const { reason, source: _source, notes: _notes, ...decided } = routingSchema.shape;
/**
 * Phase A's reply as it is read: the shape must hold, names that do not exist are sorted out afterwards. The reason stands
 * first, because a model writes in this order: it decides what it has given a reason for.
 */
export const routeReplySchema = z.object({ reason, ...decided });
export type RouteReply = z.infer<typeof routeReplySchema>;

const schemas = new WeakMap<Knowledge, Record<string, unknown>>();

/**
 * The JSON Schema that the model's reply is held to: the same shape, with the keys that exist. File names are not in it:
 * they change with every upload, and the provider compiles a schema anew when it changes.
 */
export function routeOutputSchema(knowledge: Knowledge): Record<string, unknown> {
  let schema = schemas.get(knowledge);
  if (!schema) {
    const { $schema: _, ...rest } = z.toJSONSchema(
      z.strictObject({
        ...routeReplySchema.shape,
        next_probe: oneOf(keysOf(knowledge.probes)).nullable(),
        triggered_patterns: z.array(oneOf(keysOf(knowledge.patterns))),
      }),
    );
    schema = rest;
    schemas.set(knowledge, schema);
  }
  return schema;
}

const keysOf = (entries: Knowledge['probes'] | Knowledge['patterns']): string[] =>
  [...entries.discovery, ...entries.evaluation].map((entry) => entry.key);

const oneOf = (keys: string[]) => (keys.length === 0 ? z.string() : z.enum(keys));
