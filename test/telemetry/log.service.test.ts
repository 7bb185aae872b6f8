import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createContainer } from '../../src/container.ts';
import { ModelError } from '../../src/llm/model.ts';
import { createOfflineModel } from '../../src/llm/offline.ts';
import { createLog, loggedError } from '../../src/telemetry/log.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';

const CANARY = 'zebrafinch';

/** A provider that repeats what it was sent, in its message and in the error of its SDK. */
function echo(): never {
  const cause = Object.assign(new Error(`400 {"error":{"message":"${CANARY}"}}`), {
    status: 400,
    error: { message: CANARY },
  });
  throw new ModelError(`The provider answered 400: ${CANARY}`, { reason: 'rejected', status: 400, cause });
}

it('logs a session in which everything fails, and nothing of what was written or sent as a key', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const db = await openTestDatabase();
  const answerModel = { ...createOfflineModel(), generate: async () => echo() };
  const { app, close } = await createContainer(readConfig({ EDIT_DEBOUNCE_MS: '0' }), log, {
    db,
    answerModel,
    embeddingModel: createFakeEmbeddingModel(),
  });
  const post = (url: string, payload: object, query = '') =>
    app.inject({
      method: 'POST',
      url: `${url}?${query}`,
      payload,
      headers: { authorization: `Bearer ${CANARY}`, 'idempotency-key': `${CANARY}-${url}` },
    });
  const got: number[] = [];
  got.push((await post('/projects', { id: 'p', name: CANARY })).statusCode);
  got.push((await post('/projects/p/turns', { message: `Who is ${CANARY}?` })).statusCode);
  got.push((await post('/projects/p/search', { query: CANARY, mode: CANARY }, `q=${CANARY}`)).statusCode);
  await app.inject({ method: 'POST', url: '/projects', payload: `{"id": ${CANARY}` });
  await close();
  expect(got).toEqual([201, 502, 400]);
  expect(lines.join('')).toContain('"status":400');
  expect(lines.join('')).not.toContain(CANARY);
});

it('keeps of the failure of a statement what names things of the program, never the row', () => {
  const error = Object.assign(
    new Error(`duplicate key value violates unique constraint "k" of "${CANARY}"`),
    {
      name: 'error',
      code: '23505',
      detail: `Key (name)=(${CANARY}) already exists.`,
      where: `unnamed portal parameter $1 = '${CANARY}'`,
      constraint: 'projects_pkey',
    },
  );
  const logged = loggedError(new Error('the project could not be stored', { cause: error }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'the project could not be stored',
    stack: expect.stringContaining('    at '),
    cause: { code: '23505', constraint: 'projects_pkey' },
  });
  expect(JSON.stringify(logged)).not.toContain(CANARY);
});
