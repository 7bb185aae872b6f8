import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import type { Database } from '../src/db/database.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';

/**
 * Starts the service on a free port of the loopback address, over a database and a model that stay open when it ends.
 *
 * @returns searches a project by HTTP, and ends the service
 */
export async function startSearchServer(db: Database, embeddingModel: EmbeddingModel) {
  const keepOpen = { close: async () => {} };
  const container = await createContainer(readConfig({ LOG_LEVEL: 'silent' }), pino({ level: 'silent' }), {
    db: { ...db, ...keepOpen },
    embeddingModel: { ...embeddingModel, ...keepOpen },
  });
  const address = await container.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    async search(projectId: string, query: string, limit: number): Promise<void> {
      const response = await fetch(`${address}/projects/${projectId}/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, limit }),
      });
      const body = await response.text();
      if (!response.ok) throw new Error(`search answered ${response.status}: ${body}`);
    },
    close: () => container.close(),
  };
}
