import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** When one that was turned away may try again, in seconds: streams end by themselves when what they tell of has ended. */
const RETRY_SECONDS = 5;

/** How many event streams a server holds open, and may. */
const rooms = new WeakMap<object, { taken: number; most: number; onChange: (open: number) => void }>();

/**
 * Sets how many event streams a server may hold open at a time; as many as come until then.
 *
 * @param onChange told how many there are
 */
export function limitStreams(server: object, most: number, onChange: (open: number) => void): void {
  rooms.set(server, { taken: 0, most, onChange });
}

/**
 * Takes room for an event stream until the answer has ended, to be called before anything is begun that the stream would
 * tell of. A stream costs memory and a socket as long as its client likes: more than there is room for are refused, so
 * that they harm nobody else.
 *
 * @throws AppError `too_many_streams`
 */
export function takeStreamRoom(request: FastifyRequest, reply: FastifyReply): void {
  const room = rooms.get(request.server.server);
  if (!room) return;
  if (room.taken >= room.most) {
    throw new AppError('too_many_streams', {
      detail: `The service holds ${room.most} event streams open, as many as it may. Try again in a moment, or read the resource itself.`,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  room.taken += 1;
  room.onChange(room.taken);
  reply.raw.once('close', () => {
    room.taken -= 1;
    room.onChange(room.taken);
  });
}
