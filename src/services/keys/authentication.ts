import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { findApiKey, isAnyApiKey, type KeyRow, markApiKeyUsed } from '../../db/keys.ts';
import { DEFAULT_WORKSPACE, type Principal } from '../../scope.ts';
import { hashOf } from './secret.ts';
import { isToken, type Tokens } from './tokens.ts';

/** What was found out is believed for so long: a key that another instance has revoked ends within it. */
const BELIEVED_MS = 1_000;
/** The use of a key is noted once in so long. */
const NOTED_MS = 60_000;
/** Keys that are remembered, at most. */
const MOST_REMEMBERED = 10_000;
const NO_HASH = Buffer.alloc(32);

export interface AuthenticationDeps {
  db: Database;
  log: { warn(details: object, message: string): void };
  /** A key is asked for although there is none yet: the service can be reached from other machines. */
  asksAlways: boolean;
  /** A key of this process alone, for the command line that has opened the database itself. */
  ownKey?: string;
  /** Tokens of an identity provider are taken as well; null: keys alone. */
  tokens: Tokens | null;
}

interface Remembered {
  principal: Principal;
  /** By the clock; null: never. */
  expiresAt: number | null;
  /** By the clock that never goes back. */
  lookedUpAt: number;
}

const principalOf = ({ workspace_id, key_id, name, scopes, rate_limits }: KeyRow): Principal => ({
  workspaceId: workspace_id,
  scopes,
  keyId: key_id,
  limitedAs: key_id,
  caller: `key:${key_id}`,
  name,
  rateLimits: rate_limits,
});

const CLI: Principal = {
  workspaceId: DEFAULT_WORKSPACE,
  scopes: ['service'],
  keyId: null,
  limitedAs: null,
  caller: 'cli',
  name: 'command line',
  rateLimits: null,
};

/** Finds out who calls, by API keys, and tokens of an identity provider. */
export function createAuthentication({ db, log, asksAlways, ownKey, tokens }: AuthenticationDeps) {
  const ownHash = ownKey === undefined ? null : hashOf(ownKey);
  const remembered = new Map<string, Remembered>();
  const notedAt = new Map<string, number>();
  let asked: { answer: boolean; at: number } | null = null;
  /** Counts what makes answers that are still on their way old. */
  let changes = 0;
  let noting: Promise<void> = Promise.resolve();

  function note({ workspaceId, keyId }: Principal): void {
    if (keyId === null) return;
    const id = JSON.stringify([workspaceId, keyId]);
    const at = performance.now();
    if (at - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < NOTED_MS) return;
    if (notedAt.size >= MOST_REMEMBERED) notedAt.clear();
    notedAt.set(id, at);
    noting = noting
      .then(() => markApiKeyUsed(db, workspaceId, keyId))
      .catch((err: unknown) => log.warn({ err }, 'the use of a key could not be noted'));
  }

  async function lookUp(hash: Buffer): Promise<Remembered | null> {
    const name = hash.toString('base64');
    const known = remembered.get(name);
    if (known && performance.now() - known.lookedUpAt < BELIEVED_MS) return known;
    const seen = changes;
    const row = await findApiKey(db, hash);
    // compared once more whatever was found, and in the same time
    if (!timingSafeEqual(row ? Buffer.from(row.key_hash) : NO_HASH, hash) || !row) {
      remembered.delete(name);
      return null;
    }
    const expiresAt = row.expires_at?.getTime() ?? null;
    const found = { principal: principalOf(row), expiresAt, lookedUpAt: performance.now() };
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    if (seen === changes) remembered.set(name, found);
    return found;
  }

  return {
    /** Whether whoever calls has to show a key: there is one, or the service can be reached from elsewhere. */
    async isAsked(): Promise<boolean> {
      if (asksAlways || ownHash) return true;
      if (asked && performance.now() - asked.at < BELIEVED_MS) return asked.answer;
      const seen = changes;
      const answer = await isAnyApiKey(db);
      if (seen === changes) asked = { answer, at: performance.now() };
      return answer;
    },

    /**
     * Whose key or token it is; null for one that is not known, was revoked, or has expired.
     *
     * @throws AppError `identity_provider_unavailable` where that cannot be told of a token
     */
    async principalOf(key: string): Promise<Principal | null> {
      const hash = hashOf(key);
      if (ownHash && timingSafeEqual(ownHash, hash)) return CLI;
      if (tokens && isToken(key)) return tokens.principalOf(key);
      const found = await lookUp(hash);
      if (!found || (found.expiresAt !== null && found.expiresAt <= Date.now())) return null;
      note(found.principal);
      return found.principal;
    },

    /** Whether it could be a key: what cannot is a token, which nobody can guess. */
    isKey: (key: string): boolean => !(tokens && isToken(key)),

    /** Whether the key has opened something in this process before, and was not found invalid since. */
    isRemembered: (key: string): boolean => remembered.has(hashOf(key).toString('base64')),

    /** Keys have changed: nothing that was found out before is believed. */
    forget(): void {
      changes += 1;
      tokens?.forget();
      asked = null;
      // who was let in before may still be asked again at once
      for (const known of remembered.values()) known.lookedUpAt = Number.NEGATIVE_INFINITY;
    },

    /** Waits for what is still being written. */
    settled: (): Promise<void> => noting,
  };
}

export type Authentication = ReturnType<typeof createAuthentication>;
