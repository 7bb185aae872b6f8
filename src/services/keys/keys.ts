import type { ApiKey, ApiKeyDeletion, NewApiKey } from '../../contract/key.ts';
import type { List } from '../../contract/list.ts';
import type { Database, Queryable } from '../../db/database.ts';
import {
  deleteApiKey,
  holdApiKeys,
  insertApiKey,
  isAnyApiKey,
  isServiceKey,
  type KeyRow,
  selectApiKeys,
} from '../../db/keys.ts';
import { isWorkspace } from '../../db/workspaces.ts';
import { AppError, keyNotFound, scopeRequired, workspaceNotFound } from '../../errors.ts';
import { type AccessScope, allows, type Principal, type RateLimits } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import type { Witness } from '../audit.ts';
import type { QuotaService } from '../limits/quotas.ts';
import { type PerMinute, REQUEST_CLASSES } from '../limits/rate-limits.ts';
import { type PageRequest, readPage } from '../page.ts';
import type { Authentication } from './authentication.ts';
import { hashOf, newSecret } from './secret.ts';

/** What is asked for a new key. */
export interface KeyRequest {
  name: string;
  scopes: AccessScope[];
  expiresAt: Date | null;
  /** Undefined: the caller's own. */
  workspaceId: string | undefined;
  /** Undefined: as the service is set. */
  rateLimits?: RateLimits | undefined;
}

const shown = (row: KeyRow): ApiKey => ({
  object: 'api_key',
  id: row.key_id,
  name: row.name,
  workspace: row.workspace_id,
  scopes: row.scopes,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  rate_limits: row.rate_limits ?? { requests: null, expensive: null },
});

const lastKey = (detail: string): AppError => new AppError('last_key', { detail });

export interface KeyServiceDeps {
  db: Database;
  authentication: Authentication;
  /** The limits of keys that have none of their own. */
  perMinute: PerMinute;
  quotas: QuotaService;
}

/** Whether limits allow more than keys have without any. */
const isBeyond = (own: RateLimits, perMinute: PerMinute): boolean =>
  REQUEST_CLASSES.some((name) => {
    const limit = own[name];
    return limit !== null && perMinute[name] !== 0 && (limit === 0 || limit > perMinute[name]);
  });

/** Nobody makes a key that may do more than it may itself. */
function assertAllowed(principal: Principal, { scopes, rateLimits }: KeyRequest, perMinute: PerMinute): void {
  const beyond = scopes.find((scope) => !allows(principal, scope));
  if (beyond !== undefined) throw scopeRequired(beyond, principal.scopes);
  if (rateLimits && isBeyond(rateLimits, perMinute) && !allows(principal, 'service')) {
    throw scopeRequired('service', principal.scopes);
  }
}

/** The first key of all has to be one that can make the others. */
async function assertNotLockedOut(tx: Queryable, { scopes, expiresAt }: KeyRequest): Promise<void> {
  const opensAll = scopes.includes('service') && expiresAt === null;
  if (opensAll || (await isAnyApiKey(tx))) return;
  throw lastKey(
    'From the first key on, every caller needs one: make one with the scope "service" and no expiry first, which can make the others.',
  );
}

/** The use cases of API keys. */
export function createKeyService({ db, authentication, perMinute, quotas }: KeyServiceDeps) {
  /** Another workspace exists for who is over all of them, and for nobody else. */
  async function placeOf(principal: Principal, asked: string | undefined): Promise<string> {
    if (asked === undefined || asked === principal.workspaceId) return principal.workspaceId;
    if (allows(principal, 'service') && (await isWorkspace(db, asked))) return asked;
    throw workspaceNotFound(asked);
  }

  return {
    /**
     * Makes a key, and tells it this once.
     *
     * @throws AppError `scope_required` for more than the caller has or may send, `workspace_not_found`, `last_key` when nobody could
     *   make further keys then
     */
    async create(principal: Principal, request: KeyRequest, witness: Witness): Promise<NewApiKey> {
      const { scopes, expiresAt, rateLimits = null } = request;
      assertAllowed(principal, request, perMinute);
      const workspaceId = await placeOf(principal, request.workspaceId);
      const { keyId, secret } = newSecret();
      const row = await db.transaction(async (tx) => {
        const room = await quotas.room(tx, workspaceId);
        await holdApiKeys(tx);
        await assertNotLockedOut(tx, request);
        const made = await insertApiKey(tx, {
          workspaceId,
          keyId,
          name: storableText(request.name),
          hash: hashOf(secret),
          scopes: [...new Set(scopes)],
          createdBy: principal.caller,
          expiresAt,
          rateLimits,
        });
        await room.assertKept('keys');
        await witness(tx, { workspaceId, resource: `/keys/${keyId}` });
        return made;
      });
      authentication.forget();
      return { ...shown(row), key: secret };
    },

    /** @throws AppError `workspace_not_found`, `invalid_cursor` */
    async list(
      principal: Principal,
      workspaceId: string | undefined,
      page: PageRequest,
    ): Promise<List<ApiKey>> {
      const place = await placeOf(principal, workspaceId);
      const found = await readPage(
        { of: 'keys', scope: { workspaceId: place } },
        page,
        (bounds) => selectApiKeys(db, place, bounds),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(shown) };
    },

    /**
     * Revokes a key: its next request is refused.
     *
     * @param force also the last key that is over all workspaces
     * @throws AppError `key_not_found`, `workspace_not_found`, `last_key`
     */
    async revoke(
      principal: Principal,
      keyId: string,
      { workspaceId, force }: { workspaceId: string | undefined; force: boolean },
      witness: Witness,
    ): Promise<ApiKeyDeletion> {
      const place = await placeOf(principal, workspaceId);
      await db.transaction(async (tx) => {
        await holdApiKeys(tx);
        const others = force || (await isServiceKey(tx, { workspaceId: place, keyId }));
        if (!(await deleteApiKey(tx, place, keyId))) throw keyNotFound(keyId);
        if (!others) {
          throw lastKey(
            'No other key has the scope "service" and no expiry: make one first, or revoke this one with force=true.',
          );
        }
        await witness(tx, { workspaceId: place, resource: `/keys/${keyId}` });
      });
      authentication.forget();
      return { object: 'deletion', id: keyId, deleted: true };
    },
  };
}

export type KeyService = ReturnType<typeof createKeyService>;
