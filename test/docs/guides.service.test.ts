import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDES } from '../../src/routes/documentation/guides.ts';
import { type Service, startService } from '../faults/service.ts';
import { canRun, firstDifference, runExamples, shellExamples } from '../helpers/shell-examples.ts';

// The guides: what they show is what happens, and each is a page beside the reference.

const run = promisify(execFile);
const textOf = (guide: string) => readFile(join('docs', 'guides', `${guide}.md`), 'utf8');

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-guides-'));
  service = await startService({ DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it('there is a page for each file', async () => {
  expect((await readdir('docs/guides')).sort()).toEqual(
    Object.keys(GUIDES)
      .map((name) => `${name}.md`)
      .sort(),
  );
});

it.each(Object.entries(GUIDES))('%s is a page without anything from elsewhere', async (name, title) => {
  const answer = await fetch(`${service.url}/docs/guides/${name}`);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  expect(page).toContain(`<title>${title} - Forge</title>`);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const links = [...page.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)];
  for (const [, path = '', anchor] of links) {
    const target = await fetch(new URL(path === '' ? name : path, `${service.url}/docs/guides/`));
    expect([path, target.status]).toEqual([path, 200]);
    if (anchor) expect(await target.text()).toContain(`id="${anchor}"`);
  }
});

describe.skipIf(!(await canRun('bash', 'curl', 'jq')))('with bash, curl and jq', () => {
  it('they show what their commands print', async () => {
    for (const guide of Object.keys(GUIDES)) {
      const examples = shellExamples(await textOf(guide));
      const printed = await runExamples(examples, service.url);
      const differences = examples.map(({ prints }, at) => firstDifference(prints, printed[at] ?? ''));
      expect.soft({ guide, differences: differences.filter(Boolean) }).toEqual({ guide, differences: [] });
    }
  });
});

/** The first block of a language in the guide to streaming. */
async function clientIn(language: string): Promise<string> {
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(await textOf('streaming'))?.[1];
  if (code === undefined) throw new Error(`no client in ${language}`);
  return code;
}

/** The service behind a line that breaks in the third event of each turn that is begun. */
async function startBreakingLine(): Promise<{ url: string; breaks: () => number; close(): Promise<void> }> {
  let breaks = 0;
  const server = createServer((request, reply) => {
    const { method, headers, url = '/' } = request;
    const passedOn = httpRequest(new URL(url, service.url), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      let events = 0;
      answer.on('data', (chunk: Buffer) => {
        events += chunk.toString().split('\nevent: ').length - 1;
        reply.write(chunk.subarray(0, method === 'POST' && events > 2 ? chunk.length / 2 : chunk.length));
        if (method !== 'POST' || events <= 2 || reply.destroyed) return;
        breaks += 1;
        reply.destroy();
      });
      answer.on('end', () => reply.end());
    });
    passedOn.on('error', () => reply.destroy());
    reply.on('close', () => passedOn.destroy());
    request.pipe(passedOn);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaks: () => breaks,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const hasPython = await canRun('python3');

describe('a client of the guide to streaming goes on after a break, and has the whole reply', () => {
  let line: Awaited<ReturnType<typeof startBreakingLine>>;
  let project: string;
  beforeAll(async () => {
    line = await startBreakingLine();
    const made = await fetch(`${service.url}/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'streaming', name: 'Streaming' }),
    });
    expect(made.status).toBe(201);
    project = `${line.url}/projects/streaming`;
  });
  afterAll(() => line.close());

  it('in JavaScript', async () => {
    const file = join(folder, 'client.mjs');
    await writeFile(file, await clientIn('js'));
    const { ask } = (await import(pathToFileURL(file).href)) as {
      ask(project: string, message: string, onText: (text: string) => void): Promise<{ response: string }>;
    };
    let shown = '';
    const before = line.breaks();
    const turn = await ask(project, 'What must not get worse?', (text) => {
      shown += text;
    });
    expect(line.breaks()).toBe(before + 1);
    expect(shown).toBe(turn.response);
    expect(shown).not.toBe('');
  });

  it.skipIf(!hasPython)('in Python', async () => {
    const before = line.breaks();
    const program = `${await clientIn('python')}
shown = []
turn = ask(${JSON.stringify(project)}, "What must not get worse?", shown.append)
print(json.dumps(["".join(shown), turn["response"]]))`;
    const { stdout } = await run('python3', ['-c', program]);
    const [shown, response] = JSON.parse(stdout) as [string, string];
    expect(line.breaks()).toBe(before + 1);
    expect(shown).toBe(response);
    expect(shown).not.toBe('');
  });
});
