import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeLanguageModel } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { gate } from '../helpers/gate.ts';
import { connectMcp, type McpClient } from '../helpers/mcp.ts';
import { TOOL_NAMES } from '../helpers/tool-names.ts';

// MCP over streamable HTTP, with the SDK's own client.

const REPORT = `# Report

## Onboarding

Onboarding takes eleven weeks from signature to first use. Ines Duarte owns it.

## Pricing

The price experiment ended on 4 March. Conversion rose by 12 percent.
`;

/** Long enough to be summarised in several parts. */
const LONG = `# Long\n\n${Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\n${'The plan is long and has many words. '.repeat(60)}`).join('\n\n')}\n`;

type Result = { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, never> };

let forge: TestApp;
let url: string;
let summarised: (signal: AbortSignal | undefined) => Promise<void> = async () => undefined;
const clients: McpClient[] = [];

async function connect(project?: string): Promise<McpClient> {
  const client = await connectMcp(url, project);
  clients.push(client);
  return client;
}

const call = async ({ client }: McpClient, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as Result;

beforeAll(async () => {
  const smallModel = fakeLanguageModel(async ({ signal }) => {
    await summarised(signal);
    return { text: 'It is about a plan.' };
  });
  forge = await startTestApp({ overrides: { smallModel } });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'report.md': REPORT });
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const { client } of clients) await client.close();
  await forge.close();
});

describe('the handshake', () => {
  it('says who answers, what it can and how it is used', async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'forge' });
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: { subscribe: true },
      prompts: {},
    });
    expect(client.getInstructions()).toContain('list_projects');
    await client.ping();
  });

  it('refuses a project that there is not', async () => {
    await expect(connectMcp(url, 'nowhere')).rejects.toThrow(/There is no project/);
  });

  it('is taken from this machine only', async () => {
    const initialize = (headers: object) =>
      forge.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
    expect(await initialize({ host: 'evil.example' })).toMatchObject({ status: 421 });
    expect(await initialize({ host: 'localhost:3000', origin: 'https://evil.example' })).toMatchObject({
      status: 403,
    });
    // past the check: it is no handshake
    expect(await initialize({ host: 'localhost:3000', origin: 'http://localhost:5173' })).toMatchObject({
      status: 400,
    });
  });
});

describe('tools', () => {
  it('are those that there are, with schemas and hints', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_projects', ...TOOL_NAMES]);
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      const asks = name !== 'list_projects' && name !== 'search_knowledge_base';
      expect(Object.keys(inputSchema.properties ?? {}).includes('project')).toBe(asks);
    }
  });

  it('can all be called, with text and values', async () => {
    const mcp = await connect();
    await mcp.client.listTools(); // the client checks values by the schemas from here on
    expect((await call(mcp, 'list_projects')).structuredContent).toEqual({
      projects: [{ id: 'p', name: 'P' }],
    });
    const files = await call(mcp, 'list_project_files', { project: 'p' });
    expect(files.structuredContent.files).toEqual([expect.objectContaining({ filename: 'report.md' })]);
    const outline = await call(mcp, 'document_outline', { project: 'p', filename: 'report.md' });
    const pointers = outline.structuredContent.pointers as unknown as { pointer_id: string; title: string }[];
    const pricing = pointers.find(({ title }) => title === 'Pricing');
    const read = await call(mcp, 'read_pointer', { project: 'p', pointer_id: pricing?.pointer_id });
    expect(read.content[0]?.text).toContain('4 March');
    const query = 'Who owns onboarding?';
    const sections = await call(mcp, 'find_sections', { project: 'p', filename: 'report.md', query });
    expect(sections.structuredContent.pointers).not.toEqual([]);
    const found = await call(mcp, 'search_documents', { project: 'p', query });
    expect(found.content[0]?.text).toMatch(/Ines Duarte.*Sources:\n\[1\] report\.md > Report$/s);
    expect(found.structuredContent.passages).toEqual([
      expect.objectContaining({ filename: 'report.md', header_path: ['Report'], page: null }),
    ]);
    const within = await call(mcp, 'search_in_document', { project: 'p', filename: 'report.md', query });
    expect(within.structuredContent.passages).not.toEqual([]);
    const summary = await call(mcp, 'summarize_document', { project: 'p', filename: 'report.md' });
    expect(summary.structuredContent.notes).toContain('It is about a plan.');
  });

  it('say plainly that the library is empty, and what to do', async () => {
    const { content, isError } = await call(await connect(), 'search_knowledge_base', { query: 'policies' });
    expect(isError).toBeUndefined();
    expect(content[0]?.text).toMatch(/is empty.*POST \/library\/files/s);
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['no project', 'list_project_files', {}, /\/project: .*list_projects/],
    ['a project of the wrong type', 'list_project_files', { project: 7 }, /\/project/],
    ['a project that there is not', 'list_project_files', { project: 'nowhere' }, /There are: p\./],
    ['the place of the library', 'list_project_files', { project: '_library' }, /There is no project/],
    ['a wrong type', 'search_documents', { project: 'p', query: 3 }, /\/query/],
    ['nothing asked', 'search_documents', { project: 'p' }, /\/query/],
    ['an unknown argument', 'search_documents', { project: 'p', query: 'x', top: 3 }, /top/],
    ['an argument where there is none', 'list_projects', { all: true }, /\/all/],
    [
      'an unknown file',
      'search_in_document',
      { project: 'p', filename: 'no.md', query: 'x' },
      /no file "no\.md"/,
    ],
    ['ten thousand tokens', 'search_documents', { project: 'p', query: 'budget '.repeat(10_000) }, /\/query/],
    [
      'control characters',
      'search_in_document',
      { project: 'p', filename: 'a\u0000b', query: 'x' },
      /no file/,
    ],
  ])('say in a result what is wrong: %s', async (_, name, args, words) => {
    const { isError, content } = await call(await connect(), name, args);
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(words);
  });

  it('that there are not are an error of the protocol', async () => {
    await expect(call(await connect(), 'delete_everything')).rejects.toThrow(/There is no tool/);
  });

  it('ask for no project where the connection is bound to one', async () => {
    const mcp = await connect('p');
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
    for (const { inputSchema } of tools) expect(inputSchema.properties).not.toHaveProperty('project');
    expect((await call(mcp, 'list_project_files')).content[0]?.text).toContain('report.md');
    expect(await call(mcp, 'list_project_files', { project: 'p' })).toMatchObject({ isError: true });
  });
});

describe('long calls', () => {
  beforeAll(async () => {
    await forge.call('POST', '/projects', { id: 'long', name: 'Long' });
    const names = ['progress.md', 'cancel.md', 'leave.md'];
    await forge.upload('long', Object.fromEntries(names.map((name) => [name, `${LONG}\n${name}\n`])));
    await forge.settle();
  });

  it('tell how far they have come', async () => {
    const { client } = await connect('long');
    const seen: { progress: number; total?: number | undefined }[] = [];
    const params = { name: 'summarize_document', arguments: { filename: 'progress.md' } };
    await client.callTool(params, undefined, { onprogress: (at) => void seen.push(at) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)?.progress).toBe(seen.at(-1)?.total);
  });

  /** The call that is cut off, once the model has been asked. */
  async function cutOff(
    filename: string,
    cut: (mcp: McpClient, controller: AbortController) => Promise<void>,
  ) {
    const asked = gate();
    const stopped = gate();
    summarised = async (signal) => {
      signal?.addEventListener('abort', stopped.open);
      asked.open();
      await stopped.opened;
    };
    const mcp = await connect('long');
    const controller = new AbortController();
    const params = { name: 'summarize_document', arguments: { filename } };
    const ended = mcp.client.callTool(params, undefined, { signal: controller.signal }).then(
      () => 'answered',
      () => 'ended',
    );
    await asked.opened;
    await cut(mcp, controller);
    expect(await ended).toBe('ended');
    await stopped.opened;
    summarised = async () => undefined;
    return mcp;
  }

  it('end when they are cancelled, and the connection goes on', async () => {
    const mcp = await cutOff('cancel.md', async (_, controller) => controller.abort());
    expect((await call(mcp, 'list_project_files')).content[0]?.text).toContain('cancel.md');
  });

  it('end when the client has gone', async () => {
    await cutOff('leave.md', ({ client }) => client.close());
  });
});

it('ends with the service, although clients listen', async () => {
  const other = await startTestApp();
  const { client } = await connectMcp(await other.app.listen({ host: '127.0.0.1', port: 0 }));
  await other.close();
  await expect(client.ping()).rejects.toThrow();
  await client.close();
});
