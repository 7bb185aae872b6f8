import { prose } from '../test/helpers/prose.ts';

/** Adds parts until there are so many characters. */
function fill(characters: number, part: (index: number) => string, head = ''): string {
  const parts = [head];
  let length = head.length;
  for (let i = 0; length < characters; i++) {
    const next = part(i);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
}

const lines = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('\n');

/** Markdown with a heading for every thousand characters, on four levels: prose, lists, code, tables, quotations. */
export const makeMarkdown = (characters: number): string =>
  fill(characters, (i) => {
    const level = i % 24 === 0 ? 1 : i % 6 === 0 ? 2 : i % 2 === 0 ? 3 : 4;
    const blocks = [
      `${'#'.repeat(level)} ${prose(i, 1, 4).slice(0, -1)} ${i}`,
      prose(i, 6, 9).replace('. ', ` with \`code\`, **weight** and [a link](https://example.com/${i}). `),
      prose(i + 7, 5, 10),
    ];
    if (i % 3 === 0) blocks.push(lines(5, (k) => `- ${prose(i + k, 1)}\n  - ${prose(i + k + 9, 1, 5)}`));
    if (i % 4 === 1)
      blocks.push(`\`\`\`ts\n${lines(8, (k) => `const value${k} = compute(${i}, ${k}); // # none`)}\n\`\`\``);
    if (i % 5 === 2)
      blocks.push(`| name | value |\n|---|---|\n${lines(5, (k) => `| ${prose(i + k, 1, 2)} | ${i * k} |`)}`);
    if (i % 7 === 3) blocks.push(`> ${prose(i, 2)}\n> ${prose(i + 1, 1)}`);
    return `${blocks.join('\n\n')}\n\n`;
  });

/** YAML of an HTTP API: 20 keys for every thousand characters, as in those of large vendors, nine levels deep. */
export const makeYaml = (characters: number): string =>
  fill(
    characters,
    (i) => `  /things/${i}:
    get:
      operationId: getThing${i}
      summary: ${prose(i, 1, 6)}
      description: >-
        ${prose(i, 3, 9)}
        ${prose(i + 3, 3, 9)}
        ${prose(i + 5, 2, 9)}
      tags:
        - things
        - "group ${i % 9}"
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: string, minLength: ${i % 30} }
        - name: limit
          in: query
          schema:
            type: integer
            default: 20
      responses:
        '200':
          description: ${prose(i + 1, 1, 8).slice(0, -1)}
            and ${prose(i + 2, 1, 5)}
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Thing${i}'
        '404':
          description: Not found # nothing there
`,
    'openapi: 3.0.3\ninfo:\n  title: Bench\n  version: 1.0.0\npaths:\n',
  );
