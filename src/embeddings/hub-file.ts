import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseRetryAfter, type RetryPolicy, withRetries } from '../retry.ts';

/** A file could not be pulled; the message says why and what to do. */
export class PullError extends Error {
  readonly isFinal: boolean;
  /** The hub has no such file. */
  readonly isMissing: boolean;
  readonly afterSeconds: number | undefined;

  constructor(
    message: string,
    {
      isFinal = true,
      isMissing = false,
      afterSeconds,
    }: { isFinal?: boolean; isMissing?: boolean; afterSeconds?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'PullError';
    this.isFinal = isFinal;
    this.isMissing = isMissing;
    this.afterSeconds = afterSeconds;
  }
}

/** A file on the hub, and where it is to go. */
export interface Pull {
  /** Address of the hub, as `https://huggingface.co`. */
  hub: string;
  repository: string;
  revision: string;
  path: string;
  /** Written bit by bit: what is there is gone on with. */
  target: string;
  sha256?: string | undefined;
  signal: AbortSignal;
  retry?: RetryPolicy;
  onProgress?: ((done: number, total: number | null) => void) | undefined;
}

/** What came. */
export interface PulledFile {
  sha256: string;
  bytes: number;
  /** The commit that the revision was, as the hub says it. */
  commit: string | null;
}

/** What the hub says of a file before it sends another way for it. */
interface HubAnswer {
  response: Response;
  commit: string | null;
  /** Hash of a large file: the hub's own. */
  sha256: string | null;
}

const RETRY: RetryPolicy = { attempts: 5, minDelayMs: 1_000, maxDelayMs: 30_000 };
const MOST_REDIRECTS = 6;
/** A connection that sends nothing for so long is taken for broken. */
const SILENCE_MS = 60_000;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Pulls a file from the hub, whose addresses are `REPOSITORY/resolve/REVISION/PATH`. A download that was broken off is gone on with
 * where it ended; broken connections, 429 and errors of the server are tried again. What has come is hashed as a whole at the end.
 *
 * @throws PullError when the hub refuses, or what came is not what it has to be: then nothing of it is kept
 */
export function pullFile(pull: Pull): Promise<PulledFile> {
  return withRetries(() => attempt(pull), {
    policy: pull.retry ?? RETRY,
    signal: pull.signal,
    judge: (error) =>
      error instanceof PullError
        ? { retry: !error.isFinal, afterSeconds: error.afterSeconds }
        : { retry: !pull.signal.aborted },
  });
}

async function attempt(pull: Pull): Promise<PulledFile> {
  await mkdir(dirname(pull.target), { recursive: true });
  const from = existsSync(pull.target) ? statSync(pull.target).size : 0;
  const silence = watchSilence(pull.signal);
  const answer = await fetchFile(pull, from, silence).finally(silence.close);
  const sha256 = await hashOf(pull.target);
  const wanted = pull.sha256 ?? answer.sha256;
  if (wanted !== null && sha256 !== wanted) {
    await rm(pull.target, { force: true });
    throw new PullError(
      `${pull.path} is not what it has to be: its hash is ${sha256}, and not ${wanted}. Nothing of it was kept. Try again, or another hub.`,
      // half of it may have been of another file: one try from the start tells
      { isFinal: from === 0 },
    );
  }
  return { sha256, bytes: statSync(pull.target).size, commit: answer.commit };
}

async function fetchFile(pull: Pull, from: number, silence: Silence): Promise<HubAnswer> {
  const answer = await ask(pull, from, silence);
  // nothing is left to send: all of it is there, or more than it should be
  if (answer.response.status === 416) await answer.response.body?.cancel();
  else await receive(pull, answer.response, { from, silence });
  return answer;
}

/** Aborts when the pull is, and when nothing has been heard for too long. */
interface Silence {
  signal: AbortSignal;
  heard(): void;
  close(): void;
}

function watchSilence(signal: AbortSignal): Silence {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(new Error('nothing came any more')), SILENCE_MS);
  return {
    signal: AbortSignal.any([signal, control.signal]),
    heard: () => void timer.refresh(),
    close: () => clearTimeout(timer),
  };
}

/** Asks for a file from some byte on, and follows where the hub sends. */
async function ask(pull: Pull, from: number, silence: Silence): Promise<HubAnswer> {
  const { hub, repository, revision, path, signal } = pull;
  let url = new URL(
    `${repository}/resolve/${encodeURIComponent(revision)}/${path}`,
    `${hub.replace(/\/$/, '')}/`,
  );
  const found: Omit<HubAnswer, 'response'> = { commit: null, sha256: null };
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const response = await fetch(url, {
      // compressed, its bytes could not be counted
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
      redirect: 'manual',
      signal: silence.signal,
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      const reason =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new PullError(`${url.host} cannot be reached: ${reason}. MODEL_HUB_URL names another hub.`, {
        isFinal: false,
      });
    });
    found.commit ??= response.headers.get('x-repo-commit');
    const tag = response.headers.get('x-linked-etag')?.replace(/^(W\/)?"|"$/g, '') ?? '';
    if (SHA256.test(tag)) found.sha256 ??= tag;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) {
      await refuse(response, pull);
      return { ...found, response };
    }
    await response.body?.cancel();
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:') {
      throw new PullError(
        `${url.host} sends to ${next.protocol}//${next.host}, which is not encrypted. Nothing was pulled.`,
      );
    }
    url = next;
  }
  throw new PullError(`${hub} sends from one address to the next without an end.`);
}

/** Throws for every answer that brings nothing. */
async function refuse(response: Response, { repository, revision, path }: Pull): Promise<void> {
  const { status } = response;
  if (status === 200 || status === 206 || status === 416) return;
  await response.body?.cancel();
  const what = `${repository} at ${revision}: ${path}`;
  if (status === 401 || status === 403) {
    throw new PullError(
      `The hub lets nobody have ${what} without an account (${status}). Download the files there, and name their folder in LOCAL_MODEL_DIR.`,
      // an unknown repository is answered like one that is hidden
      { isMissing: status === 401 },
    );
  }
  if (status === 404) throw new PullError(`The hub has no ${what}.`, { isMissing: true });
  throw new PullError(`The hub answered ${status} for ${what}.`, {
    isFinal: status !== 429 && status < 500,
    afterSeconds: parseRetryAfter(response.headers.get('retry-after')),
  });
}

/** Writes what comes behind what is there, or from the start where the hub sends everything. */
async function receive(
  { target, signal, onProgress, path }: Pull,
  response: Response,
  { from, silence }: { from: number; silence: Silence },
): Promise<void> {
  const start = Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);
  const isContinued = response.status === 206 && start === from;
  if (response.status === 206 && !isContinued) {
    await rm(target, { force: true });
    throw new PullError(`The hub sent another part of ${path} than was asked for.`, { isFinal: false });
  }
  if (response.body === null) throw new PullError(`The hub sent nothing for ${path}.`, { isFinal: false });
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  let done = isContinued ? from : 0;
  const total = Number.isNaN(length) ? null : done + length;
  const file = await open(target, isContinued ? 'a' : 'w');
  try {
    for await (const chunk of Readable.fromWeb(response.body)) {
      silence.heard();
      // at once, so that a connection that breaks off takes nothing with it that has come
      await file.write(chunk as Uint8Array);
      done += (chunk as Uint8Array).length;
      onProgress?.(done, total);
      silence.signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new PullError(`The connection broke off while ${path} was coming: ${String(error)}`, {
      isFinal: false,
    });
  } finally {
    await file.close();
  }
  if (total !== null && done !== total) {
    throw new PullError(`${path} ended after ${done} of ${total} bytes.`, { isFinal: false });
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
