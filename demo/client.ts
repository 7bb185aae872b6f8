import { createForge } from '../clients/typescript/src/index.ts';
import type { FileAnswer, TurnAnswer } from './wire.ts';

/** The calls that the demo makes, by the client that any front end can use. */
export function createClient(baseUrl: string) {
  const forge = createForge({ baseUrl });
  const turnOf = (project: string, n: number) => ({ path: { project_id: project, n } });

  return {
    ...forge,
    createProject: (name: string) => forge.call('post', '/projects', { body: { name } }),
    /** Uploads a file and waits until it is completed or failed. */
    async upload(project: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileAnswer> {
      let file = await forge.upload(project, [{ name, content: bytes }]);
      if (file.status === 'completed' || file.status === 'failed') return file;
      for await (const { event, data } of forge.followFile(project, name)) {
        if (event !== 'file.deleted') file = data;
      }
      return file;
    },
    async content(project: string, name: string): Promise<Buffer> {
      const path = { project_id: project, name };
      const response = await forge.send('get', '/projects/{project_id}/files/{name}/content', { path });
      return Buffer.from(await response.arrayBuffer());
    },
    async markdown(project: string, name: string, version?: number): Promise<string> {
      const path = { project_id: project, name };
      const query = version === undefined ? {} : { version };
      const markdown = '/projects/{project_id}/files/{name}/markdown';
      return (await forge.send('get', markdown, { path, query })).text();
    },
    async search(project: string, query: string, kinds: ('documents' | 'turns')[]) {
      const path = { project_id: project };
      const body = { query, kinds, limit: 50 };
      return (await forge.call('post', '/projects/{project_id}/search', { path, body })).data;
    },
    async say(project: string, message: string): Promise<TurnAnswer> {
      const path = { project_id: project };
      const turn = await forge.call('post', '/projects/{project_id}/turns', { path, body: { message } });
      if (turn.object !== 'turn') throw new TypeError('no dry run was asked for');
      return turn;
    },
    cancel: (project: string, turn: number) =>
      forge.call('post', '/projects/{project_id}/turns/{n}/cancel', turnOf(project, turn)),
    getTurn: (project: string, turn: number) =>
      forge.call('get', '/projects/{project_id}/turns/{n}', turnOf(project, turn)),
    receipt: (project: string, turn: number) =>
      forge.call('get', '/projects/{project_id}/turns/{n}/context', turnOf(project, turn)),
    /** The problem brief as it is filled by now, in Markdown. */
    async brief(project: string): Promise<string> {
      const path = { project_id: project, artifact: 'problem_brief' as const };
      return (await forge.send('get', '/projects/{project_id}/artifacts/{artifact}', { path })).text();
    },
    knowledge: () => forge.call('get', '/knowledge', {}),
  };
}

export type Client = ReturnType<typeof createClient>;
