import { afterAll, beforeAll, expect, it } from 'vitest';
import { routingSchema } from '../../src/contract/routing.ts';
import { isFiller } from '../../src/copilot/past-turn.ts';
import type { Database } from '../../src/db/database.ts';
import { IS_FILLER } from '../../src/db/turn-record.ts';
import { openTestDatabase } from '../helpers/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const routings = routingSchema.shape.source.options.flatMap((source) =>
  [true, false].map((requires_retrieval) => ({
    next_probe: null,
    triggered_patterns: [],
    active_mode: 'discovery' as const,
    action: 'answer' as const,
    requires_retrieval,
    relevant_files: [],
    reason: '',
    source,
    notes: [],
  })),
);

it('calls the same turns mere acknowledgements as the code that has read them', async () => {
  for (const routing of [null, ...routings]) {
    const { rows } = await db.query<{ filler: boolean }>(
      `select ${IS_FILLER} as filler from (values ($1::jsonb)) as turn (routing)`,
      [routing && JSON.stringify(routing)],
    );
    expect({ routing, filler: rows[0]?.filler }).toEqual({ routing, filler: isFiller(routing) });
  }
});
