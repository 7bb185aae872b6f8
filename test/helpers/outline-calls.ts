import type { TestApp } from './app.ts';

/** A Markdown file with headings on three levels. */
export const MANUAL = `# Manual

What this is about.

## Installing

Take the crane to the yard and fasten the four bolts. The torque is 80 Nm.

### Tools

A spanner of 19 mm, a level, two people.

## Operating

Never lift more than 900 kg. In wind over 12 m/s the crane stands still.

## Returning

The notice period for returning a rented crane is fourteen days.
`;

/** A node of an outline as it is answered. */
export interface OutlineNodeView {
  id: string;
  parent_id: string | null;
  level: number;
  text: string;
  char_range: { start: number; end: number };
  chunk_id: string | null;
  blurb: string | null;
  token_estimate: number;
  pointer_id: string;
  children: string[];
}

/** The headings of an outline, in order. */
export const texts = (body: { nodes: OutlineNodeView[] }) => body.nodes.map((node) => node.text);

/** Requests about outlines, sections and pointers to the project that a test is at. */
export function outlineCalls(at: () => { forge: TestApp; project: string }) {
  const url = (name: string, part: string) =>
    `/projects/${at().project}/files/${encodeURIComponent(name)}${part}`;
  const outline = (name: string, query = '', headers = {}) =>
    at().forge.call('GET', url(name, `/outline${query}`), undefined, headers);
  const sections = (name: string, body: object) => at().forge.call('POST', url(name, '/sections'), body);
  const read = (pointerId: string, query = '') =>
    at().forge.call('GET', `/projects/${at().project}/pointers/${encodeURIComponent(pointerId)}${query}`);
  async function put(name: string, payload: string, headers: Record<string, string> = {}) {
    const response = await at().forge.app.inject({
      method: 'PUT',
      url: url(name, '/content'),
      headers: { prefer: 'wait=60', ...headers },
      payload,
    });
    return { status: response.statusCode, body: response.json() };
  }
  const upload = (files: Record<string, string | Buffer>, headers = {}) =>
    at().forge.upload(at().project, files, headers);

  /** The pointer of the node with this text. */
  async function pointerOf(name: string, text: string): Promise<string> {
    const { body } = await outline(name);
    const node = body.nodes.find((one: OutlineNodeView) => one.text === text);
    return node.pointer_id;
  }

  return { url, outline, sections, read, put, upload, pointerOf };
}
