import type { Queryable } from './database.ts';

/** What the database remembers of the settings that its content was made with. */
export type SettingKey = 'embedding';

/** The stored value, or null; whoever stored it knows its shape. */
export async function readSetting<T>(db: Queryable, key: SettingKey): Promise<T | null> {
  const { rows } = await db.query<{ value: T }>('select value from settings where key = $1', [key]);
  return rows[0]?.value ?? null;
}

/** The same, which nobody else changes until the transaction ends. */
export async function holdSetting<T>(tx: Queryable, key: SettingKey): Promise<T | null> {
  const { rows } = await tx.query<{ value: T }>('select value from settings where key = $1 for share', [key]);
  return rows[0]?.value ?? null;
}

/** Stores a JSON value in the place of the one before. */
export async function writeSetting(db: Queryable, key: SettingKey, value: unknown): Promise<void> {
  await db.query(
    `insert into settings (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [key, JSON.stringify(value)],
  );
}
