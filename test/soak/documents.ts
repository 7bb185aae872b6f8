import { makeDocx } from '../helpers/docx.ts';
import { paragraphs, prose } from '../helpers/prose.ts';
import type { Random } from '../helpers/random.ts';

/** Few enough that texts come again, as they do in life; more than an embedding's worth of each. */
const SEEDS = 40;
const NAMES = 3;

const MAKERS: Record<string, (seed: number) => Promise<Buffer> | string> = {
  md: (seed) => `# Findings\n\n${paragraphs(seed, 4)}\n\n## Budget\n\n${paragraphs(seed + 1, 2)}\n`,
  txt: (seed) => paragraphs(seed, 3),
  csv: (seed) =>
    `name,note\n${Array.from({ length: 40 }, (_, i) => `row ${i},${prose(seed + i, 1)}`).join('\n')}`,
  json: (seed) => JSON.stringify({ plan: { goals: [prose(seed, 1), prose(seed + 1, 1)], budget: seed } }),
  yaml: (seed) => `plan:\n  goal: ${prose(seed, 1)}\n  steps:\n    - ${prose(seed + 1, 1)}\n`,
  html: (seed) => `<h1>Findings</h1><p>${prose(seed, 4)}</p><table><tr><td>a</td><td>b</td></tr></table>`,
  docx: (seed) => makeDocx(`Northwind ${seed}`),
  // what cannot be read ends as failed: a Word file that is cut off, bytes that are no PDF
  'cut.docx': async (seed) => (await makeDocx(`Cut ${seed}`)).subarray(0, 900),
  'broken.pdf': (seed) => `%PDF-1.7\n${prose(seed, 3)}`,
};

/** A document of some kind under one of a few names, so that most uploads replace a version. */
export async function someDocument(random: Random): Promise<{ name: string; bytes: Uint8Array }> {
  const [extension, make] = random.pick(Object.entries(MAKERS));
  const bytes = await make(random.below(SEEDS));
  return { name: `note-${random.below(NAMES)}.${extension}`, bytes: new Uint8Array(Buffer.from(bytes)) };
}
