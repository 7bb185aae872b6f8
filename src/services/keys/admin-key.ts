import type { Database } from '../../db/database.ts';
import { holdApiKeys, insertApiKey, isAnyApiKey, putApiKey } from '../../db/keys.ts';
import { DEFAULT_WORKSPACE } from '../../scope.ts';
import { hashOf, newSecret } from './secret.ts';

const ADMIN = { workspaceId: DEFAULT_WORKSPACE, scopes: ['service'], expiresAt: null } as const;
/** The id of the key that the settings name; another one there takes its place. */
const SETTINGS_KEY = 'settings';

/** Stores the key of the settings, which replaces the one that they named before. */
export async function putSettingsKey(db: Database, key: string): Promise<void> {
  await putApiKey(db, {
    ...ADMIN,
    keyId: SETTINGS_KEY,
    name: 'FORGE_ADMIN_KEY',
    hash: hashOf(key),
    createdBy: 'settings',
  });
}

/** Makes the first key of all, of which this is the only word; null when there are keys already. */
export async function makeFirstKey(db: Database): Promise<string | null> {
  return db.transaction(async (tx) => {
    await holdApiKeys(tx);
    if (await isAnyApiKey(tx)) return null;
    const { keyId, secret } = newSecret();
    const name = 'Made at the first start';
    await insertApiKey(tx, { ...ADMIN, keyId, name, hash: hashOf(secret), createdBy: 'first start' });
    return secret;
  });
}
