import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { connectMcp, type McpClient } from '../helpers/mcp.ts';

// Documents and probes over MCP, with the SDK's own client.

let forge: TestApp;
let url: string;
const clients: McpClient[] = [];

async function connect(project?: string): Promise<McpClient> {
  const client = await connectMcp(url, project);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', {
    'report.md': '# Report\n\n## Onboarding\n\nEleven weeks.\n\n## Pricing\n\nTwelve percent.\n',
  });
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const { client } of clients) await client.close();
  await forge.close();
});

describe('resources', () => {
  it('are listed page by page and read by their URIs', async () => {
    await forge.call('POST', '/projects', { id: 'many', name: 'Many' });
    const files = Array.from({ length: 60 }, (_, at) => [`ü ${at}.md`, `# File ${at}\n\nText ${at}.\n`]);
    for (const some of [files.slice(0, 20), files.slice(20, 40), files.slice(40)]) {
      await forge.upload('many', Object.fromEntries(some));
    }
    await forge.uploadToLibrary({ 'guide.md': '# Guide\n\nAsk before you buy.\n' });
    await forge.settle();
    const { client } = await connect();
    const uris: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages += 1) {
      const { resources, nextCursor } = await client.listResources({
        ...(cursor !== undefined && { cursor }),
      });
      uris.push(...resources.map(({ uri }) => uri));
      cursor = nextCursor;
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris.filter((uri) => uri.startsWith('forge://projects/many/'))).toHaveLength(2 + 2 * 60);
    expect(uris).toContain('forge://library/files/guide.md');

    const text = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect((await text('forge://projects/many/files/%C3%BC%2059.md')).text).toContain('Text 59.');
    expect((await text('forge://library/files/guide.md')).text).toContain('Ask before you buy.');
    expect((await text('forge://projects/p/artifacts/problem_brief')).text).toContain('#');
    const outline = JSON.parse((await text('forge://projects/p/files/report.md/outline')).text);
    expect(outline.nodes.map(({ text }: { text: string }) => text)).toEqual([
      'Report',
      'Onboarding',
      'Pricing',
    ]);
  });

  it.each([
    'forge://projects/p/files/none.md',
    'forge://projects/nowhere/files/report.md',
    'forge://projects/_library/files/guide.md',
    'forge://projects/p/artifacts/none',
    'forge://projects/p/files/%E0%A4%A',
    'file:///etc/passwd',
    'nonsense',
  ])('that there are not are refused: %s', async (uri) => {
    await expect((await connect()).client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
  });

  it('of other projects are not there where the connection is bound', async () => {
    const { client } = await connect('p');
    const { resources } = await client.listResources();
    expect(resources.every(({ uri }) => /^forge:\/\/(library|projects\/p)\//.test(uri))).toBe(true);
    await expect(
      client.readResource({ uri: 'forge://projects/many/artifacts/problem_brief' }),
    ).rejects.toThrow(/bound/);
    await expect(client.listResources({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
  });

  it('have templates whose variables are completed', async () => {
    const { client } = await connect();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'forge://projects/{project}/files/{name}',
    );
    const ref = { type: 'ref/resource' as const, uri: 'forge://projects/{project}/files/{name}' };
    const names = { ref, argument: { name: 'name', value: 'rep' }, context: { arguments: { project: 'p' } } };
    expect((await client.complete(names)).completion.values).toEqual(['report.md']);
    const ids = { ref, argument: { name: 'project', value: 'ma' } };
    expect((await client.complete(ids)).completion.values).toEqual(['many']);
  });

  it('tell their subscribers of a new version, and of a list that has changed', async () => {
    await forge.call('POST', '/projects', { id: 'live', name: 'Live' });
    await forge.upload('live', { 'note.md': '# Note\n\nFirst.\n' });
    await forge.settle();
    const { client } = await connect('live');
    const updated: string[] = [];
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    let lists = 0;
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      lists += 1;
    });
    const file = 'forge://projects/live/files/note.md';
    const brief = 'forge://projects/live/artifacts/problem_brief';
    await client.listResources();
    await client.subscribeResource({ uri: file });
    await client.subscribeResource({ uri: brief });

    await forge.upload('live', { 'note.md': '# Note\n\nSecond.\n', 'other.md': '# Other\n\nNew.\n' });
    await forge.call('PATCH', '/projects/live/state', {
      skeleton: { problem_statement: { value: 'Too slow' } },
    });
    await expect.poll(() => new Set(updated)).toEqual(new Set([file, brief]));
    await expect.poll(() => lists).toBeGreaterThan(0);

    await client.unsubscribeResource({ uri: file });
    await expect(client.subscribeResource({ uri: 'nonsense' })).rejects.toMatchObject({ code: -32002 });
  });
});

describe('prompts', () => {
  it('are the probes of both modes', async () => {
    const { client } = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(12);
    expect(prompts[0]).toMatchObject({ name: 'solution-problem-separation', title: expect.any(String) });
    const { messages } = await client.getPrompt({
      name: 'stakeholder-mapping',
      arguments: { project: 'p', topic: 'onboarding' },
    });
    const written = JSON.stringify(messages);
    expect(written).toContain('The topic: onboarding');
    expect(written).toContain('report.md');
    expect(written).toContain('forge://projects/p/artifacts/problem_brief');
    expect((await client.getPrompt({ name: 'sustainability' })).messages).toHaveLength(1);
  });

  it('refuse what they do not know', async () => {
    const { client } = await connect();
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow(/There is no prompt/);
    const wrong = { name: 'sustainability', arguments: { project: 'nowhere' } };
    await expect(client.getPrompt(wrong)).rejects.toThrow(/There is no project/);
    const unknown = { name: 'sustainability', arguments: { colour: 'red' } };
    await expect(client.getPrompt(unknown)).rejects.toThrow(/no argument colour/);
  });
});
