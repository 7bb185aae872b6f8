/** An empty project of the service at `base`, by the name of its id. */
export async function makeProject(base: string, id: string): Promise<void> {
  const response = await fetch(`${base}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, name: id }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
