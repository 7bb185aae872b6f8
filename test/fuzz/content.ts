import type { Service } from '../faults/service.ts';

/** The examples of the contract name this project and this file: with them there, more than refusals is answered. */
export async function addContent(service: Service, key: string | null): Promise<void> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const json = { ...authorization, 'content-type': 'application/json' };
  const post = async (
    path: string,
    headers: Record<string, string>,
    body: string | FormData,
  ): Promise<void> => {
    const response = await fetch(service.url + path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status}`);
  };
  const upload = (place: string): Promise<void> => {
    const form = new FormData();
    form.set(
      'file',
      new Blob(['# Findings\n\nChurn is 4.1 %.\n\n## Budget\n\nDana approves it alone.\n']),
      'report.md',
    );
    return post(`${place}/files`, authorization, form);
  };
  const project = '/projects/campaign-roi-analysis';
  await post(
    '/projects',
    json,
    JSON.stringify({ id: 'campaign-roi-analysis', name: 'Campaign ROI analysis' }),
  );
  await upload(project);
  await upload('/library');
  await post(`${project}/turns`, json, JSON.stringify({ message: 'Who approves the budget?' }));
}
