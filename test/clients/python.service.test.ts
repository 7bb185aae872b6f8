import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../scripts/run.ts';
import type { GenerateRequest, LanguageModel } from '../../src/llm/model.ts';
import { createOfflineModel } from '../../src/llm/offline.ts';
import { packageRoot } from '../../src/package-root.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import {
  away,
  brokenStream,
  type Fault,
  foreign,
  type Line,
  lostAnswer,
  openLine,
  overloaded,
} from './line.ts';
import { findPython } from './python.ts';

// The client for Python against a service, over a line that its own tests (clients/python/tests/test_service.py) let break.

const LONGEST_MS = 300_000;
const FAULTS: Record<string, Fault> = {
  away,
  foreign,
  'broken stream': brokenStream,
  'lost answer': lostAnswer,
  overloaded: overloaded(0.01),
  'overloaded for long': overloaded(60),
};

/** Answers as without a key, except for a message that is to be cancelled. */
function patientModel(): LanguageModel {
  const offline = createOfflineModel();
  return {
    ...offline,
    generate: (request: GenerateRequest) =>
      JSON.stringify(request.messages).includes('Take your time')
        ? new Promise((_, reject) => {
            request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
          })
        : offline.generate(request),
  };
}

let app: TestApp;
let line: Line;

/** Where the tests say what the line does: `POST /{times}/{fault}`, `GET /` what was asked since, `DELETE /` that it is whole. */
const control = createServer((request, reply) => {
  const [, times, fault = ''] = decodeURIComponent(request.url ?? '').split('/');
  const asked = JSON.stringify(line.asked);
  if (request.method === 'DELETE') line.heal();
  const kind = FAULTS[fault];
  if (kind) line.breaks(Number(times), kind);
  reply.writeHead(request.method === 'POST' && !kind ? 404 : 200).end(asked);
});

beforeAll(async () => {
  app = await startTestApp({ overrides: { answerModel: patientModel() } });
  line = await openLine(await app.app.listen({ host: '127.0.0.1', port: 0 }));
  await new Promise<void>((listening) => control.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await new Promise((closed) => control.close(closed));
  await line.close();
  await app.close();
});

it('does its work over a line that breaks, for threads and for asyncio', {
  timeout: LONGEST_MS,
}, async (context) => {
  const found = await findPython();
  if ('missing' in found) return context.skip(found.missing);
  const { code, output } = await run(found.python, ['-m', 'pytest', '-q', 'tests/test_service.py'], {
    cwd: join(packageRoot, 'clients', 'python'),
    env: {
      PATH: process.env.PATH,
      PYTHONDONTWRITEBYTECODE: '1',
      FORGE_TEST_URL: line.url,
      FORGE_TEST_LINE: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    },
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ passed/);
  expect(output).not.toMatch(/skipped/);
});
