import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type ContainerOverrides, createContainer } from '../../src/container.ts';
import type { Database } from '../../src/db/database.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openConfinedDatabase } from './confined-database.ts';
import { openTestDatabase } from './database.ts';

const SETTLE_MS = 120_000;
/** Files by name, headers, and a query string. */
type UploadRest = [files: Record<string, string | Buffer>, headers?: object, query?: string];

/**
 * What the tests ask, and what the service does. With TEST_DATABASE_ROLE=service it is a role that does not own the tables, so that
 * row-level security holds it to its workspaces.
 */
async function databaseOf(overrides: ContainerOverrides = {}): Promise<{ db: Database; own: Database }> {
  if (overrides.db) return { db: overrides.db, own: overrides.db };
  if (process.env.TEST_DATABASE_ROLE === 'service') {
    const { owner, confined } = await openConfinedDatabase();
    return { db: owner, own: confined };
  }
  const db = await openTestDatabase();
  return { db, own: db };
}

/** The whole service on a database of its own, without keys: offline model, fake embedder unless told otherwise. */
export async function startTestApp(
  options: {
    settings?: Record<string, string>;
    overrides?: ContainerOverrides;
    /** The model that the settings name, in place of the fake. */
    ownEmbeddings?: boolean;
  } = {},
) {
  const { db, own } = await databaseOf(options.overrides);
  const container = await createContainer(
    // no edit waits for a next one
    readConfig({
      LOG_LEVEL: 'silent',
      EDIT_DEBOUNCE_MS: '0',
      EDIT_INTERVAL_MS: '0',
      // a machine that is busy with tests refuses nothing
      MAX_EVENT_LOOP_DELAY_MS: '0',
      ...options.settings,
    }),
    pino({ level: 'silent' }),
    {
      ...(!options.ownEmbeddings && { embeddingModel: createFakeEmbeddingModel() }),
      jobPollMs: 20,
      ...options.overrides,
      db: own,
    },
  );
  const { app } = container;

  async function upload(place: string, ...[files, headers = {}, query = '']: UploadRest) {
    const boundary = 'forge-test-boundary';
    const parts = Object.entries(files).flatMap(([name, content]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
    const response = await app.inject({
      method: 'POST',
      url: `${place}/files${query}`,
      // the default of 20 s is short on a busy machine
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        prefer: 'wait=60',
        ...headers,
      },
      payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }

  return {
    ...container,
    /** As the owner of the tables sees it. */
    db,
    /** As the service asks it. */
    serviceDb: own,
    /** A request with a JSON body, and the answer with its parsed body. */
    async call(
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
      url: string,
      body?: unknown,
      headers = {},
    ) {
      const response = await app.inject({
        method,
        url,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const isJson = /\bjson\b/.test(String(response.headers['content-type'] ?? ''));
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson && response.body !== '' ? response.json() : undefined,
        text: response.body,
        bytes: response.rawPayload,
      };
    },
    /** Waits until no job is left: what follows from everything that was done has been done. */
    async settle(): Promise<void> {
      for (const end = Date.now() + SETTLE_MS; ; ) {
        const { rowCount } = await db.query('select from jobs limit 1');
        if (rowCount === 0) return;
        if (Date.now() > end) throw new Error('the jobs came to no end');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    /** An upload of files by name; a name goes into the part's header as it is. */
    upload: (projectId: string, ...rest: UploadRest) => upload(`/projects/${projectId}`, ...rest),
    /** The same, into the library. */
    uploadToLibrary: (...rest: UploadRest) => upload('/library', ...rest),
  };
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
