import {
  createProject,
  createTurn,
  getProject,
  listFiles,
  type StoredFile,
  search,
  type Turn,
  uploadFiles,
} from './hey';
import { client } from './hey/client.gen';

// What is done with each generated client, with that of @hey-api/openapi-ts.

const [url = '', key = '', id = ''] = process.argv.slice(2);
client.setConfig({ baseUrl: url, auth: () => key });
const path = { project_id: id };

async function main() {
  const made = await createProject({ body: { id, name: 'Generated' } });
  const uploaded = await uploadFiles({
    path,
    headers: { prefer: 'wait=60' },
    body: { file: [new File(['# Notes\n\nDana Reyes signs the budget.'], 'notes.md')] },
  });
  const file = uploaded.data as StoredFile | undefined;
  const files = await listFiles({ path });
  const found = await search({ path, body: { query: 'Who signs the budget?' } });
  const said = await createTurn({ path, body: { message: 'Who signs the budget?' } });
  const turn = said.data as Turn | undefined;
  const refused = await getProject({ path: { project_id: 'none' } });
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
