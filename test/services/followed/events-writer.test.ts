import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { DatabaseError } from '../../../src/errors.ts';
import { append, createChannel } from '../../../src/services/followed/events-channel.ts';
import { createEventWriter } from '../../../src/services/followed/events-writer.ts';
import type { FollowedEvent, FollowedKind } from '../../../src/services/followed/kind.ts';

const scope = { workspaceId: 'w', projectId: 'p' };

/** Flushes again and again while storage fails; gives how often it failed and what was stored. */
async function storeAfter(error: Error, failures: number) {
  let asked = 0;
  const stored: number[] = [];
  const kind = {
    noun: 'turn',
    async insertEvents(_db: unknown, rows: readonly { seq: number }[]) {
      asked += 1;
      if (asked <= failures) throw error;
      stored.push(...rows.map(({ seq }) => seq));
    },
    isTerminal: () => false,
  } as unknown as FollowedKind<number, FollowedEvent>;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const writer = createEventWriter({ kind, db: {} as Database, flushMs: 1, log, onStored: () => undefined });
  const channel = createChannel<number, FollowedEvent>(scope, 1, 1);
  append(channel, { type: 'answer.done', data: {} }, () => false);
  writer.touch(channel);
  for (let flushes = 0; flushes <= failures; flushes += 1) await writer.flush();
  return stored;
}

it('keeps the events of an outage, however often they could not be stored', async () => {
  const outage = new DatabaseError('unavailable', new Error('gone'), true);
  expect(await storeAfter(outage, 30)).toEqual([1]);
});

it('gives up what storage does not take', async () => {
  expect(await storeAfter(new Error('no such project'), 30)).toEqual([]);
});
