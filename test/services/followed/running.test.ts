import { expect, it, vi } from 'vitest';
import { createRunning } from '../../../src/services/followed/running.ts';
import { gate } from '../../helpers/gate.ts';

/** A turn that ends when it is told to, or interrupted. */
function fakeTurn() {
  const { open: end, opened: done } = gate();
  const stop = vi.fn<(reason: string) => void>(() => end());
  return { stop, done, end };
}

const LONG = 60_000;

it('stops at once when nothing runs, and admits nothing from then on', async () => {
  const turns = createRunning();
  await turns.stop(LONG);
  await expect(turns.admit(async () => 'begun')).rejects.toMatchObject({
    code: 'service_unavailable',
    retryAfterSeconds: 5,
  });
});

it('waits for the turns that run, those included that were being taken on', async () => {
  const turns = createRunning();
  const running = fakeTurn();
  turns.add('running', running);
  const late = fakeTurn();
  const recorded = gate();
  const beginning = turns.admit(async () => {
    await recorded.opened;
    turns.add('late', late);
  });
  const order: string[] = [];
  const stopped = turns.stop(LONG).then(() => order.push('stopped'));
  running.end();
  await running.done;
  recorded.open();
  await beginning;
  expect(turns.get('late')).toBeDefined();
  order.push('late turn ends');
  late.end();
  await stopped;
  expect(order).toEqual(['late turn ends', 'stopped']);
  expect(late.stop).not.toHaveBeenCalled();
  expect(turns.get('late')).toBeUndefined();
});

it('interrupts what does not end in time, and what is taken on too late', async () => {
  const turns = createRunning();
  const running = fakeTurn();
  turns.add('running', running);
  const late = fakeTurn();
  const beginning = turns.admit(async () => {
    await running.done;
    turns.add('late', late);
  });
  await turns.stop(0);
  await beginning;
  expect(running.stop).toHaveBeenCalledExactlyOnceWith('shutdown');
  expect(late.stop).toHaveBeenCalledExactlyOnceWith('shutdown');
});
