import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { type ContainerOverrides, createContainer } from '../src/container.ts';
import { forSystem } from '../src/db/bound-database.ts';
import type { Database } from '../src/db/database.ts';

/** What the measurements read of a turn. */
export interface BenchTurn {
  status: string;
  response: string;
  routing: { requires_retrieval: boolean };
  context: { tokens: number; sections: { name: string; tokens: number }[] };
  timings_ms: Record<string, number>;
}

/** The whole service, listening on a port of its own, and spoken to as clients do. */
export async function startService(
  db: Database,
  settings: Record<string, string>,
  overrides: ContainerOverrides = {},
) {
  const container = await createContainer(
    readConfig({ LOG_LEVEL: 'silent', ...settings }),
    pino({ level: 'silent' }),
    { ...overrides, db: { ...db, close: async () => undefined } },
  );
  const base = await container.app.listen({ host: '127.0.0.1', port: 0 });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  async function jobsDone(): Promise<void> {
    for (;;) {
      const { rows } = await forSystem(db).query<{ waiting: number }>(
        'select count(*)::int as waiting from jobs',
      );
      if (rows[0]?.waiting === 0) return;
      await delay(20);
    }
  }

  return {
    base,
    call,
    jobsDone,
    /** A project with its files, ready to be searched. */
    async makeProject(id: string, files: Record<string, string>): Promise<void> {
      await call('POST', '/projects', { id, name: id });
      for (const [name, text] of Object.entries(files)) {
        const form = new FormData();
        form.append('file', new Blob([text]), name);
        const response = await fetch(`${base}/projects/${id}/files`, { method: 'POST', body: form });
        if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }
      await jobsDone();
    },
    say: (project: string, message: string) =>
      call<BenchTurn>('POST', `/projects/${project}/turns`, { message }),
    learn: (project: string, patch: object) => call<unknown>('PATCH', `/projects/${project}/state`, patch),
    close: () => container.close(),
  };
}

export type BenchService = Awaited<ReturnType<typeof startService>>;
