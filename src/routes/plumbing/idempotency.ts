import { createHash, type Hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { type IdempotencyService, type KeyClaim, keyReused } from '../../services/idempotency.ts';
import { receiveArchive } from './received-archive.ts';
import { type UploadedPart, type UploadLimits, uploadedParts } from './uploads.ts';

type Mode = 'json' | 'upload' | 'archive';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The operation repeats its answer when a key comes again. `json`: the payload is the parsed body; `upload`: the
     * handler reads the body, and tells of each part; `archive`: the handler reads it into a file, and tells its digest. A
     * function says so for a request, or null.
     */
    idempotency?: Mode | ((request: FastifyRequest) => Mode | null);
  }
}

/** Header of the operations that take a key, for their schema. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'A name of your choice for this request, best a UUID. The same key with the same payload is answered as before, with `Idempotency-Replayed: true`; with another payload it is refused. Kept for 24 hours.',
    ),
});

/** What these operations can be refused with, for their schema. */
export const IDEMPOTENCY_ERRORS = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_progress',
] as const;

const REPLAYED = 'idempotency-replayed';
const KEPT_HEADERS = ['content-type', 'location', 'etag', 'preference-applied'] as const;
const BARE_KEY = /^[!#-+\--~]{1,255}$/;
const QUOTED_KEY = /^"((?:[ !#-[\]-~]|\\["\\]){1,255})"$/;

interface Running {
  claim: KeyClaim;
  /** Of what is known of the request so far. */
  fingerprint: string;
  /** Of the parts that the handler has read. */
  parts: Hash | null;
}

const running = new WeakMap<FastifyRequest, Running>();

/**
 * The key of a request: a quoted string, as draft-ietf-httpapi-idempotency-key-header-07 has it, or the same without
 * quotes, as most clients send it.
 *
 * @throws AppError `invalid_idempotency_key`
 */
function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const text = String(header).trim();
  const key = QUOTED_KEY.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? BARE_KEY.exec(text)?.[0];
  if (key !== undefined) return key;
  throw new AppError('invalid_idempotency_key', {
    detail: 'An Idempotency-Key is one string of 1 to 255 visible ASCII characters, best a UUID.',
    errors: [{ pointer: 'idempotency-key', detail: 'is not a key', code: 'invalid_format' }],
  });
}

const targetOf = (request: FastifyRequest): string => `${request.method} ${request.url} `;

/** Whose key it is: each caller has keys of its own, and others in each project. */
function ownerOf({ principal, params }: FastifyRequest, key: string) {
  const { project_id: project } = (params ?? {}) as { project_id?: string };
  const caller = project === undefined ? principal.caller : `${principal.caller} ${project}`;
  return { workspaceId: principal.workspaceId, caller, key };
}

/** The key of a request and what it asks for, its body being read; null when it has none. */
export function requestKey(request: FastifyRequest) {
  const key = keyOf(request);
  if (key === null) return null;
  // after validation: defaults are filled in and members stand in the order of the schema
  const payload = createHash('sha256')
    .update(JSON.stringify(request.body) ?? '')
    .digest('hex');
  return { ...ownerOf(request, key), fingerprint: targetOf(request) + payload };
}

/** Says that the answer is the one of an earlier request. */
export const markReplayed = (reply: FastifyReply): FastifyReply => reply.header(REPLAYED, 'true');

/** Tells of a part of an upload: its name and bytes belong to what the key stands for. */
export function notePart(request: FastifyRequest, part: UploadedPart): void {
  const parts = running.get(request)?.parts;
  if (parts) addPart(parts, part);
}

/** Tells what the body of a request comes to, where it is neither parsed nor read by parts. */
export function notePayload(request: FastifyRequest, digest: string): void {
  running.get(request)?.parts?.update(digest);
}

function addPart(hash: Hash, { name, content }: UploadedPart): void {
  const bytes = 'bytes' in content ? content.bytes : null;
  hash.update(JSON.stringify([name ?? null, bytes?.length ?? null])).update(bytes ?? '');
}

/** Makes the operations that are marked for it repeat their answers. */
export function registerIdempotency(
  app: FastifyInstance,
  idempotency: IdempotencyService,
  limits: UploadLimits & { archiveBytes: number },
): void {
  async function payloadOf(request: FastifyRequest, mode: Mode): Promise<string> {
    if (mode === 'json') return '';
    const hash = createHash('sha256');
    if (mode === 'archive') {
      const { digest, remove } = await receiveArchive(request, limits.archiveBytes);
      await remove();
      return hash.update(digest).digest('hex');
    }
    for await (const part of uploadedParts(request, limits)) addPart(hash, part);
    return hash.digest('hex');
  }

  app.addHook('preHandler', async (request, reply) => {
    const { idempotency: config } = request.routeOptions.config;
    const mode = typeof config === 'function' ? config(request) : config;
    const key = mode && keyOf(request);
    if (!key) return;
    const isStream = mode !== 'json';
    const fingerprint = isStream ? targetOf(request) : (requestKey(request)?.fingerprint ?? '');
    const outcome = await idempotency.take(ownerOf(request, key), fingerprint);
    if (outcome.kind === 'claimed') {
      const parts = isStream ? createHash('sha256') : null;
      running.set(request, { claim: outcome.claim, fingerprint, parts });
      return;
    }
    const whole = fingerprint + (await payloadOf(request, mode));
    if (outcome.fingerprint !== whole) throw keyReused();
    const { status, headers, body } = outcome.answer;
    markReplayed(reply).status(status).headers(headers);
    // bytes are sent as they are
    return reply.send(Buffer.from(body));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const held = running.get(request);
    if (!held) return payload;
    running.delete(request);
    try {
      if (reply.statusCode >= 400) await held.claim.release();
      else {
        const headers = KEPT_HEADERS.flatMap((name) => {
          const value = reply.getHeader(name);
          return value === undefined ? [] : [[name, String(value)]];
        });
        await held.claim.finish(held.fingerprint + (held.parts?.digest('hex') ?? ''), {
          status: reply.statusCode,
          headers: Object.fromEntries(headers),
          body: typeof payload === 'string' ? payload : '',
        });
      }
    } catch (err) {
      // what was done is done: the caller hears of it, and the key is free again when its lease has run out
      request.log.warn({ err }, 'an answer could not be kept for its idempotency key');
    }
    return payload;
  });
}
