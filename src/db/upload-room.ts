import type { Queryable } from './database.ts';

/** Room that is held for an upload of several files. */
export interface HeldRoom {
  workspaceId: string;
  roomId: string;
}

/** What takes room. */
export interface RoomTaken {
  files: number;
  bytes: number;
}

/** Holds room for so many seconds, and forgets what was held for longer. */
export async function insertRoom(
  tx: Queryable,
  { workspaceId, roomId }: HeldRoom,
  { files, bytes }: RoomTaken,
  seconds: number,
): Promise<void> {
  await tx.query('delete from upload_room where workspace_id = $1 and held_until < now()', [workspaceId]);
  await tx.query(
    `insert into upload_room (workspace_id, room_id, files, bytes, held_until)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [workspaceId, roomId, files, bytes, seconds],
  );
}

/** Gives some of it to what is being stored. */
export async function takeFromRoom(
  tx: Queryable,
  { workspaceId, roomId }: HeldRoom,
  { files, bytes }: RoomTaken,
): Promise<void> {
  await tx.query(
    `update upload_room set files = greatest(0, files - $3), bytes = greatest(0, bytes - $4)
     where workspace_id = $1 and room_id = $2`,
    [workspaceId, roomId, files, bytes],
  );
}

/** Gives back what is left of it. */
export async function deleteRoom(db: Queryable, { workspaceId, roomId }: HeldRoom): Promise<void> {
  await db.query('delete from upload_room where workspace_id = $1 and room_id = $2', [workspaceId, roomId]);
}

/** All that is held in a workspace. */
export async function selectHeldRoom(db: Queryable, workspaceId: string): Promise<RoomTaken> {
  const { rows } = await db.query<RoomTaken>(
    `select coalesce(sum(files), 0)::float8 as files, coalesce(sum(bytes), 0)::float8 as bytes from upload_room
     where workspace_id = $1 and held_until >= now()`,
    [workspaceId],
  );
  if (!rows[0]) throw new Error('a sum gave no row');
  return rows[0];
}
