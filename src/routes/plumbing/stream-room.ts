import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** When one that was turned away may try again, in seconds: most streams end when what they tell of has ended. */
const RETRY_SECONDS = 5;

/** How many event streams a server holds open, and may. */
interface Room {
  taken: number;
  most: number;
  onChange: (open: number) => void;
  /** Of each workspace, where keys tell them apart. */
  ofWorkspace: Map<string, number>;
}

const rooms = new WeakMap<object, Room>();

/**
 * Sets how many event streams a server may hold open at a time; as many as come until then.
 *
 * @param onChange told how many there are
 */
export function limitStreams(server: object, most: number, onChange: (open: number) => void): void {
  rooms.set(server, { taken: 0, most, onChange, ofWorkspace: new Map() });
}

/** Adds one to what a workspace holds, or takes it away. */
function count(held: Map<string, number>, workspace: string, by: 1 | -1): void {
  const now = (held.get(workspace) ?? 0) + by;
  if (now === 0) held.delete(workspace);
  else held.set(workspace, now);
}

/**
 * Takes room for an event stream until the answer has ended, to be called before anything is begun that the stream would
 * tell of. A stream costs memory and a socket as long as its client likes: more than there is room for are refused, and
 * more than half of them to one workspace, so that they harm nobody else.
 *
 * @throws AppError `too_many_streams`
 */
export function takeStreamRoom(request: FastifyRequest, reply: FastifyReply): void {
  const room = rooms.get(request.server.server);
  if (!room) return;
  const { limitedAs, workspaceId } = request.principal;
  const isShared = limitedAs !== null;
  const most = isShared ? Math.ceil(room.most / 2) : room.most;
  const isOver = isShared && (room.ofWorkspace.get(workspaceId) ?? 0) >= most;
  if (isOver || room.taken >= room.most) {
    const held = isOver ? `${most} event streams open for your workspace` : `${room.most} event streams open`;
    throw new AppError('too_many_streams', {
      detail: `The service holds ${held}, as many as it may. Try again in a moment, or read the resource itself.`,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  room.taken += 1;
  count(room.ofWorkspace, workspaceId, 1);
  room.onChange(room.taken);
  reply.raw.once('close', () => {
    room.taken -= 1;
    count(room.ofWorkspace, workspaceId, -1);
    room.onChange(room.taken);
  });
}
