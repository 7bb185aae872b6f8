import { expect, it } from 'vitest';
import { createRoom } from '../../../src/documents/conversion/room.ts';
import { gate } from '../../helpers/gate.ts';

/** Work by name that is told of when it begins, and goes on until it is let go. */
function scene() {
  const room = createRoom();
  const began: string[] = [];
  const gates = new Map<string, ReturnType<typeof gate>>();
  const work = (name: string) => () => {
    began.push(name);
    const one = gate();
    gates.set(name, one);
    return one.opened;
  };
  return {
    began,
    shared: (name: string, signal?: AbortSignal) => room.shared(work(name), signal),
    alone: (name: string, signal?: AbortSignal) => room.alone(work(name), signal),
    end: (name: string) => gates.get(name)?.open(),
  };
}

it('keeps what is alone apart from all else, before and after', async () => {
  const { began, shared, alone, end } = scene();
  const first = Promise.all([shared('a'), shared('b')]);
  const second = alone('c');
  const third = alone('d');
  const fourth = shared('e');
  end('a');
  await expect.poll(() => began).toEqual(['a', 'b']);
  end('b');
  await first;
  await expect.poll(() => began).toEqual(['a', 'b', 'c']);
  end('c');
  await second;
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  await third;
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'd', 'e']);
  end('e');
  await fourth;
});

it('forgets what was called off while it waited', async () => {
  const { began, shared, alone, end } = scene();
  const first = shared('a');
  await expect.poll(() => began).toEqual(['a']);
  const gone = new AbortController();
  const second = alone('b', gone.signal);
  const third = shared('c');
  gone.abort(new Error('called off'));
  await expect(second).rejects.toThrow('called off');
  await expect.poll(() => began).toEqual(['a', 'c']);
  end('a');
  end('c');
  await Promise.all([first, third]);
});
