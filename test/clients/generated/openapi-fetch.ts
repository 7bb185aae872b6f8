import createClient from 'openapi-fetch';
import type { components, paths } from './types';

// What is done with each generated client, over the types of openapi-typescript.

const [url = '', key = '', id = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } });
const params = { path: { project_id: id } };

async function main() {
  const made = await client.POST('/projects', { body: { id, name: 'Generated' } });
  const form = new FormData();
  form.append('file', new Blob(['# Notes\n\nDana Reyes signs the budget.']), 'notes.md');
  const uploaded = await client.POST('/projects/{project_id}/files', {
    params: { ...params, header: { prefer: 'wait=60' } },
    body: { file: [] },
    bodySerializer: () => form,
  });
  const file = uploaded.data as components['schemas']['StoredFile'] | undefined;
  const files = await client.GET('/projects/{project_id}/files', { params });
  const found = await client.POST('/projects/{project_id}/search', {
    params,
    body: { query: 'Who signs the budget?' },
  });
  const said = await client.POST('/projects/{project_id}/turns', {
    params,
    body: { message: 'Who signs the budget?' },
  });
  const turn = said.data as components['schemas']['Turn'] | undefined;
  const refused = await client.GET('/projects/{project_id}', { params: { path: { project_id: 'none' } } });
  return {
    project: made.data?.id,
    uploaded: file?.status,
    listed: files.data?.data.map(({ name }) => name),
    found: found.data?.data.map((one) => (one.kind === 'document' ? one.filename : one.kind)),
    turn: turn?.status,
    replied: turn?.response?.includes('Dana Reyes'),
    refused: refused.error?.code,
  };
}

void main().then((done) => process.stdout.write(JSON.stringify(done)));
