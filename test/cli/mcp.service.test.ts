import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runForge } from '../helpers/command-line.ts';

// `forge mcp` as an agent starts it: a process that is spoken with over its streams.

/** Of the client, which gives up after a minute otherwise: a process that begins with an empty database may need more on a busy machine. */
const PATIENT = { timeout: 250_000 };

let forge: TestApp;
let url: string;
let folder: string;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'report.md': '# Report\n\nInes Duarte owns onboarding.\n' });
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'forge-mcp-'));
});
afterAll(async () => {
  await forge.close();
  await rm(folder, { recursive: true });
});

async function start(args: string[], env: Record<string, string>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'src/cli.ts', 'mcp', ...args],
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  const broken: Error[] = [];
  // what is no message of the protocol on stdout comes here
  client.onerror = (error) => broken.push(error);
  await client.connect(transport, PATIENT);
  return { client, broken };
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('as a process', () => {
  it('speaks for a service that runs', async () => {
    const { client, broken } = await start(['--project', 'p'], { FORGE_URL: url });
    expect(client.getServerVersion()).toMatchObject({ name: 'forge' });
    expect((await client.listTools()).tools).toHaveLength(8);
    const query = 'Who owns onboarding?';
    const found = await client.callTool({ name: 'search_documents', arguments: { query } });
    expect(textOf(found)).toContain('Ines Duarte');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(
      'forge://projects/p/files/report.md',
    );
    expect((await client.getPrompt({ name: 'sustainability' })).messages).not.toEqual([]);
    expect(broken).toEqual([]);
    await client.close();
  });

  it('opens the database by itself, and says that the library is empty', async () => {
    const { client, broken } = await start([], { FORGE_URL: '', DATABASE_URL: '', DATA_DIR: folder });
    const answer = await client.callTool(
      { name: 'search_knowledge_base', arguments: { query: 'policies' } },
      undefined,
      PATIENT,
    );
    expect(textOf(answer)).toContain('is empty');
    expect(broken).toEqual([]);
    await client.close();
  });
});

const message = (body: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`;
const HANDSHAKE =
  message({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }) + message({ method: 'notifications/initialized' });

it('answers what was asked before its input ended, in the midst of what is no message', async () => {
  const input = `${HANDSHAKE}nonsense\n${message({ id: 1, method: 'tools/list' })}`;
  const { code, json, stderr } = await runForge(['mcp'], { url, input });
  expect(code).toBe(0);
  expect(json().map(({ id }) => id)).toEqual([0, 1]);
  expect(stderr).toContain('not valid JSON');
});

it('says at the start what there is not', async () => {
  expect(await runForge(['mcp', '--project', 'nowhere'], { url })).toMatchObject({ code: 3, stdout: '' });
  expect(await runForge(['mcp', '--project', 'p'], { url: 'http://127.0.0.1:1' })).toMatchObject({ code: 5 });
});

it('begins a session again that the service has lost', async () => {
  const sessions: string[] = [];
  const forget = async (): Promise<void> => {
    for (const id of sessions.splice(0)) {
      await forge.app.inject({ method: 'DELETE', url: '/mcp', headers: { 'mcp-session-id': id } });
    }
  };
  forge.app.server.on('request', (_request, response) => {
    response.once('close', () => {
      const id = response.getHeader('mcp-session-id');
      if (typeof id === 'string' && !sessions.includes(id)) sessions.push(id);
    });
  });
  const { client } = await start(['--project', 'p'], { FORGE_URL: url });
  const told: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void told.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('list'));
  await client.subscribeResource({ uri: 'forge://projects/p/files/report.md' });
  expect(sessions).not.toEqual([]);
  await forget();
  // its stream finds out by itself, and the subscription is made again
  await expect.poll(() => told).toEqual(['list']);
  await forge.upload('p', { 'report.md': '# Report\n\nInes Duarte owns pricing.\n' });
  await expect.poll(() => told.at(-1)).toBe('forge://projects/p/files/report.md');
  await forget();
  const files = await client.callTool({ name: 'list_project_files', arguments: {} });
  expect(textOf(files)).toContain('report.md');
  await client.close();
});
