import { connectMcp } from '../helpers/mcp.ts';
import { prose } from '../helpers/prose.ts';
import type { Random } from '../helpers/random.ts';
import type { SoakClient } from './client.ts';
import { someDocument } from './documents.ts';

/** One of several clients that work side by side, each in a project of its own. */
export interface Visitor {
  client: SoakClient;
  random: Random;
  project: string;
}

type Act = (visitor: Visitor) => Promise<unknown>;

const question = (random: Random): string => `${prose(random.below(200), 1)} Who decides about the budget?`;
const someFile = ({ project, random }: Visitor): string =>
  `/projects/${project}/files/note-${random.below(3)}.${random.pick(['md', 'txt', 'csv', 'docx'])}`;

async function upload(visitor: Visitor): Promise<void> {
  const form = new FormData();
  const { name, bytes } = await someDocument(visitor.random);
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const headers = visitor.random.chance(0.5) ? { prefer: 'respond-async' } : {};
  const place = visitor.random.chance(0.1) ? '/library' : `/projects/${visitor.project}`;
  await visitor.client.send('POST', `${place}/files`, { headers, body: form });
}

/** Ends the project with all that is in it, and begins it anew: it does not grow with the hours. */
export async function beginAnew({ client, project }: Visitor): Promise<void> {
  await client.send('DELETE', `/projects/${project}`);
  await client.sendJson('POST', '/projects', { id: project, name: 'Soak' });
}

/** A session that is left as it is, as clients do whose machine was closed. */
export async function leaveMcp({ client, project }: Visitor): Promise<void> {
  const session = await connectMcp(client.url, project);
  await session.client.close();
}

async function visitByMcp({ client, random, project }: Visitor): Promise<void> {
  const session = await connectMcp(client.url, project);
  await session.client.listTools();
  await session.client.callTool({ name: 'list_project_files', arguments: {} });
  if (random.chance(0.5)) await session.transport.terminateSession();
  await session.client.close();
}

const HEAD = 'Host: 127.0.0.1\r\n';
const BROKEN = [
  'GET / HTTP/1.1\r\n\r\n',
  'NONSENSE\r\n\r\n',
  `POST /projects HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"id":`,
  `POST /projects HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  `GET /healthz HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`,
  `POST /library/files HTTP/1.1\r\n${HEAD}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b\r\n`,
];

const refuse: Act = ({ client, random, project }) =>
  random.pick<() => Promise<unknown>>([
    () => client.send('POST', '/projects', { headers: { 'content-type': 'application/json' }, body: '{' }),
    () => client.sendJson('POST', `/projects/${project}/search`, { query: 7, limit: -1 }),
    () => client.send('GET', `/projects/nobody-${random.below(1e9)}/files`),
    () => client.send('GET', `/projects/${project}/turns/9999`),
    () => client.send('PUT', '/healthz'),
    () => client.send('GET', '/projects?limit=0'),
    () => client.raw(random.pick(BROKEN)),
  ])();

const read: Act = (visitor) => {
  const { client, random, project } = visitor;
  const file = someFile(visitor);
  return client.send(
    'GET',
    random.pick([
      file,
      `${file}/outline`,
      `${file}/leaves`,
      `${file}/markdown`,
      `${file}/content`,
      `${file}/fidelity`,
      `/projects/${project}/state`,
      `/projects/${project}/turns`,
      `/projects/${project}/usage`,
      `/projects/${project}/artifacts/problem_brief`,
      `/projects/${project}/export`,
      '/projects',
      '/library/files',
      '/metrics',
      '/readyz',
      '/openapi.json',
    ]),
  );
};

const turnsOf = (project: string): string => `/projects/${project}/turns`;

/** What clients do, and how often in comparison. */
const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [20, upload],
  [6, (visitor) => visitor.client.send('DELETE', someFile(visitor))],
  [
    12,
    ({ client, random, project }) => client.sendJson('POST', turnsOf(project), { message: question(random) }),
  ],
  [
    10,
    ({ client, random, project }) =>
      client.abandon('POST', turnsOf(project), { message: question(random) }, random.below(3_000)),
  ],
  [5, ({ client, project }) => client.abandon('GET', `${turnsOf(project)}/1/events`, undefined, 500)],
  [6, (visitor) => visitor.client.abandon('GET', `${someFile(visitor)}/events`, undefined, 100)],
  [
    5,
    ({ client, random, project }) =>
      client.sendJson('POST', `/projects/${project}/research`, { question: question(random) }),
  ],
  [
    4,
    ({ client, random, project }) =>
      client.abandon(
        'POST',
        `/projects/${project}/research`,
        { question: question(random) },
        random.below(2_000),
      ),
  ],
  [
    20,
    ({ client, random, project }) =>
      client.sendJson('POST', `/projects/${project}/search`, {
        query: question(random),
        mode: random.pick(['hybrid', 'semantic', 'lexical']),
        kinds: ['documents', 'turns'],
      }),
  ],
  [30, read],
  [20, refuse],
  [6, visitByMcp],
  [2, beginAnew],
];

const WEIGHTS = ACTS.reduce((sum, [weight]) => sum + weight, 0);

/** Does one of the things that clients do. */
export function act(visitor: Visitor): Promise<unknown> {
  let at = visitor.random.below(WEIGHTS);
  const [, chosen] = ACTS.find(([weight]) => {
    at -= weight;
    return at < 0;
  }) ?? [0, read];
  return chosen(visitor);
}
