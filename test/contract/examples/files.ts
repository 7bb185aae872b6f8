import type { Call, Recorder } from './recorder.ts';

const REPORT =
  '# Churn report\n\n## Causes\n\nEnterprise customers leave because onboarding takes eleven weeks.\n\n## Notice\n\nThe notice period is three months.\n';
/** What holds the embedding of a file up until the file is gone. */
export const HOLDING = 'wait for me';

const BOUNDARY = 'forge-example';

/** A form with files, by their names. */
export function form(files: Record<string, string>): NonNullable<Call['raw']> {
  const parts = Object.entries(files).map(
    ([name, text]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/markdown\r\n\r\n${text}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    payload: `${parts.join('')}--${BOUNDARY}--\r\n`,
  };
}

/** The files of a project (`name` names the operation as it is there), or of the library. */
export async function playFiles(
  recorder: Recorder,
  settle: () => Promise<void>,
  path: Record<string, string>,
  named: (operation: string) => string,
): Promise<void> {
  const { call } = recorder;
  const name = 'churn-report.md';
  const of = { ...path, name };
  await call(named('uploadFiles'), 201, {
    path,
    raw: form({ [name]: REPORT }),
    headers: { prefer: 'wait=60' },
  });
  await settle();
  await call(named('uploadFiles'), 200, { path, raw: form({ [name]: REPORT }) });
  await call(named('uploadFiles'), 207, { path, raw: form({ [name]: REPORT, 'empty.md': '' }) });
  await call(named('uploadFiles'), 422, { path, raw: form({ 'empty.md': '' }) });
  await call(named('uploadFiles'), 415, { path, raw: form({ 'film.mp4': 'x' }) });
  await call(named('uploadFiles'), 409, {
    path,
    raw: form({ [name]: 'x' }),
    query: { on_duplicate: 'error' },
  });
  await call(named('listFiles'), 200, { path, query: { limit: 20 } });
  const { headers } = await call(named('getFile'), 200, { path: of });
  await call(named('getFile'), 304, { path: of, headers: { 'if-none-match': String(headers.etag) } });
  await call(named('getFile'), 404, { path: { ...path, name: 'no-such-file.md' } });
  await call(named('getFileContent'), 200, { path: of });
  await call(named('getFileContent'), 206, { path: of, headers: { range: 'bytes=0-14' } });
  await call(named('getFileContent'), 416, { path: of, headers: { range: 'bytes=99999-' } });
  await call(named('getFileMarkdown'), 200, { path: of });
  await call(named('getFileFidelity'), 200, { path: of });
  await call(named('listLeaves'), 200, { path: of });
  const { value: outline } = await call(named('getOutline'), 200, { path: of });
  await call(named('findSections'), 200, {
    path: of,
    body: { query: 'How long is the notice period?', top_k: 3 },
  });
  await call(named('readPointer'), 200, { path: { ...path, pointer_id: outline.nodes[1].pointer_id } });
  await call(named('readPointer'), 404, { path: { ...path, pointer_id: 'outline:none' } });
  await call(named('verifyCitations'), 200, {
    path,
    body: {
      citations: [
        { filename: name, version: 1, char_start: 29, char_end: 103, quote: 'onboarding takes eleven weeks' },
      ],
    },
  });
  await call(named('followFile'), 200, { path: of });
  await call(named('applyContexts'), 200, { path, body: { dry_run: true } });
  await call(named('applyContexts'), 202, { path, body: { names: [name] } });
  await playEdits(recorder, settle, path, named);
}

async function playEdits(
  { call, follow, waitFor }: Recorder,
  settle: () => Promise<void>,
  path: Record<string, string>,
  named: (operation: string) => string,
): Promise<void> {
  const raw = (payload: string) => ({ type: 'application/octet-stream', payload });
  const headers = { prefer: 'wait=60' };
  const notes = { ...path, name: 'notes.md' };
  await call(named('putFileContent'), 201, { path: notes, raw: raw('# Notes\n\nDana decides.\n'), headers });
  await call(named('putFileContent'), 200, { path: notes, raw: raw('# Notes\n\nIlya decides.\n'), headers });
  await call(named('putFileContent'), 412, {
    path: notes,
    raw: raw('x'),
    headers: { 'if-match': '"other"' },
  });
  await settle();
  await call(named('retryFile'), 409, { path: notes });
  await call(named('cancelFile'), 409, { path: notes });
  const slow = { ...path, name: 'slow.md' };
  const later = { prefer: 'respond-async' };
  await call(named('uploadFiles'), 202, {
    path,
    raw: form({ 'slow.md': `# Slow\n\n${HOLDING}\n` }),
    headers: later,
  });
  // by its words, whose event is one of those that are recorded; what follows is held up
  await waitFor(named('getFile'), { searchable_version: 1 }, { path: slow });
  await call(named('cancelFile'), 200, { path: slow });
  await call(named('retryFile'), 202, { path: slow });
  await call(named('cancelFile'), 200, { path: slow });
  await call(named('putFileContent'), 202, {
    path: slow,
    raw: raw(`# Slower\n\n${HOLDING}\n`),
    headers: later,
  });
  await call(named('cancelFile'), 200, { path: slow });
  await call(named('retryFailedFiles'), 202, { path });
  await call(named('deleteFile'), 200, { path: slow });
  const renamed = { ...path, name: 'minutes.md' };
  await call(named('renameFile'), 200, { path: notes, body: { name: renamed.name } });
  await call(named('listEvents'), 200, { path, query: { after: 0, limit: 2 } });
  await follow(named('listEvents'), 'file.completed', { path, query: { after: 0 } });
  await call(named('deleteFiles'), 200, { path, body: { names: [renamed.name] } });
}
