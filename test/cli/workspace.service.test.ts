import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runForge } from '../helpers/command-line.ts';

let forge: TestApp;
let url: string;
const quotas = (...args: string[]) => runForge(['workspace', 'quotas', ...args], { url });
beforeAll(async () => {
  forge = await startTestApp({ settings: { QUOTA_KEYS: '7' } });
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  await forge.call('POST', '/workspaces', { id: 'acme', name: 'Acme' });
});
afterAll(() => forge.close());

it('sets the quotas that are named, and shows them with what is used', async () => {
  const set = await quotas(
    'acme',
    '--bytes',
    '1000000',
    '--usd',
    '12.5',
    '--files',
    'none',
    '--keys',
    '3',
    '--json',
  );
  expect(set.code).toBe(0);
  expect(set.json()).toMatchObject([
    {
      object: 'workspace_usage',
      workspace: 'acme',
      bytes: { used: 0, limit: 1_000_000 },
      usd_per_month: { used: 0, limit: 12.5 },
      files: { limit: null },
      keys: { used: 0, limit: 3 },
    },
  ]);
  await quotas('acme', '--keys', 'default');
  const shown = await quotas('acme');
  expect(shown.stdout).toMatch(/^acme +used +limit$/m);
  expect(shown.stdout).toMatch(/^keys +0 +7$/m);
  expect(shown.stdout).toMatch(/^usd_per_month +0 +12\.5$/m);
  expect(shown.stdout).toMatch(/^files +0 +no limit$/m);
});

it('without a name shows those of the caller, and sets none', async () => {
  expect((await quotas()).stdout).toMatch(/^default +used +limit$/m);
  const unnamed = await quotas('--keys', '3');
  expect(unnamed).toMatchObject({ code: 2, stdout: '' });
  expect(unnamed.stderr).toContain('Name the workspace');
});

it('refuses what is no limit, and a workspace that is not there', async () => {
  const wrong = await quotas('acme', '--files', 'many');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('a number, none or default');
  expect(await quotas('acme', '--files', '1.5')).toMatchObject({ code: 4 });
  expect(await quotas('nowhere')).toMatchObject({ code: 3 });
});
