import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fileSchema } from '../../src/contract/file.ts';
import { receiptSchema } from '../../src/contract/receipt.ts';
import { turnSchema } from '../../src/contract/turn.ts';
import { turnEventData } from '../../src/contract/turn-event.ts';
import type { Database } from '../../src/db/database.ts';
import { findFile } from '../../src/db/files.ts';
import { findTurn } from '../../src/db/turns.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeLanguageModel } from '../fakes/language-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { turnBench } from '../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** That a value is what a schema describes, and has nothing that it does not describe. */
function expectExactly(schema: z.ZodType, value: unknown): void {
  expect(schema.parse(value)).toEqual(value);
}

const registration = {
  name: 'register_assumption',
  input: { statement: 'Customers read the report.', confidence: 'guessed', impact: 'high' },
};

describe('what is stored of a turn', () => {
  it.each([
    ['completed', { text: 'Marta owns it [1].', toolCalls: [registration] }],
    ['failed', null],
  ])('is what the contract says, of one that is %s', async (status, reply) => {
    const answer = fakeLanguageModel((_, call) => {
      if (!reply) throw new Error('the model is gone');
      return call === 0 ? reply : { text: 'Anything else?' };
    });
    const bench = await turnBench(db, { answer });
    await bench.addFile('report.md', '# Ownership\n\nMarta owns the billing service.');
    await bench.say('Who owns the billing service?').catch(() => undefined);

    const stored = await findTurn(db, bench.scope, 1);
    expect(stored?.turn.status).toBe(status);
    expectExactly(turnSchema, stored?.turn);
    const { rows } = await db.query('select receipt from turns where project_id = $1', [
      bench.scope.projectId,
    ]);
    expectExactly(receiptSchema, rows[0]?.receipt);
    for (const { type, data } of bench.events) expectExactly(turnEventData[type], data);
    const file = await findFile(db, bench.scope, 'report.md');
    expectExactly(fileSchema, file?.file);
  });
});

describe('the migration that gives the end of a reply its column', () => {
  it('takes it from the receipt, and out of the digest', async () => {
    const bench = await turnBench(db);
    await bench.say('Who owns it?');
    const own = [bench.scope.projectId];
    await db.query('alter table turns drop column stop_reason');
    const before = `update turns set context = context || '{"stop_reason": "end_turn"}' where project_id = $1`;
    await db.query(before, own);
    await db.transaction(async (tx) => {
      await tx.query(await readFile(join(packageRoot, 'migrations', '0007_turn_stop_reason.sql'), 'utf8'));
    });
    const stored = await findTurn(db, bench.scope, 1);
    expect(stored?.turn.stop_reason).toBe('end_turn');
    expectExactly(turnSchema, stored?.turn);
    expect(Object.keys(stored?.turn.context ?? {})).not.toContain('stop_reason');
  });
});
