import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../faults/service.ts';
import { canRun, firstDifference, runExamples, shellExamples } from '../helpers/shell-examples.ts';

// What a new user does first: the commands of the README, in order, against a service as a fresh clone starts it.

const [start, ...examples] = shellExamples(await readFile('README.md', 'utf8'));

describe.skipIf(!(await canRun('bash', 'curl', 'jq')))('the README, with bash, curl and jq', () => {
  it('shows what its commands print', async () => {
    expect(start?.commands).toBe('npm start\n');
    const folder = await mkdtemp(join(tmpdir(), 'forge-readme-'));
    const service = await startService({ DATA_DIR: join(folder, 'data') });
    try {
      const printed = await runExamples(examples, service.url);
      expect(printed).toHaveLength(examples.length);
      const differences = examples.map(({ prints }, at) => firstDifference(prints, printed[at] ?? ''));
      expect(differences.filter(Boolean)).toEqual([]);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it('is short enough to be read', async () => {
  expect((await readFile('README.md', 'utf8')).split('\n').length).toBeLessThan(200);
});

it.each([
  ['{"a":1,…}', '{"a":1,"b":2}', true],
  ['{"a":1,\n  "b":[…]}', '{"a":1,"b":[1,2]}', true],
  ['{"a":2,…}', '{"a":1,"b":2}', false],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['…"b":3}', '{"a":1,"b":2}', false],
])('compares %s with %s', (page, printed, isSame) => {
  expect(firstDifference(page, printed) === null).toBe(isSame);
});
