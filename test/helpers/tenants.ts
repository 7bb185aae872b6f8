import type { TestApp } from './app.ts';

/** Callers of two workspaces, and one that is over both; from then on the service asks for keys. */
export async function createTenants(forge: TestApp, ids: readonly string[]) {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  async function made(headers: object, body: Record<string, unknown>) {
    const answer = await forge.call('POST', '/keys', body, headers);
    if (answer.status !== 201) throw new Error(`no key: ${answer.text}`);
    return bearer(answer.body.key);
  }
  const service = await made({}, { name: 'Service', scopes: ['service'] });
  const admins: Record<string, { authorization: string }> = {};
  for (const id of ids) {
    await forge.call('POST', '/workspaces', { id, name: id }, service);
    admins[id] = await made(service, { name: `Admin of ${id}`, scopes: ['admin'], workspace: id });
  }
  const of = (id: string) => {
    const headers = admins[id];
    if (!headers) throw new Error(`no tenant ${id}`);
    return headers;
  };
  return { service, of };
}
