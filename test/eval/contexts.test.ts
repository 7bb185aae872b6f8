import { expect, it } from 'vitest';
import { createEvalContexts } from '../../eval/contexts.ts';
import { UsageError } from '../../eval/usage-error.ts';
import { contentHash } from '../../src/documents/chunking/ids.ts';
import { fakeLanguageModel } from '../fakes/language-model.ts';
import type { StoredDocument } from '../helpers/stored-document.ts';

/** A document of one section whose leaves have these texts. */
function documentOf(filename: string, texts: readonly string[]): StoredDocument {
  const place = { headerPath: [], breadcrumb: `[Source: ${filename}]`, page: null, tokens: 0 };
  let charStart = 0;
  const leaves = texts.map((text, leafIndex) => {
    const from = charStart;
    charStart += text.length + 2;
    const id = `${filename}-${leafIndex}`;
    const range = { charStart: from, charEnd: from + text.length };
    const hash = contentHash(place.breadcrumb, text);
    return {
      id,
      parentId: 'whole',
      leafIndex,
      ...place,
      ...range,
      text,
      contentHash: hash,
      oversized: false,
    };
  });
  const whole = { id: 'whole', parentIndex: 0, text: texts.join('\n\n'), charStart: 0, charEnd: charStart };
  return { filename, parents: [{ ...place, ...whole }], leaves };
}

const documents = [
  documentOf('pump.md', ['It leaks.', 'The seal is worn.']),
  documentOf('note.md', ['Monday.']),
];

/** Says of each passage of a request what it is about. */
const model = (id?: string) =>
  fakeLanguageModel(({ facts }) => {
    const { passages } = facts as { passages: number[] };
    return {
      text: JSON.stringify({
        contexts: passages.map((passage) => ({ passage, context: `About the pump, ${passage}.` })),
      }),
    };
  }, id);

it('writes a context on each leaf, over the document that it stands in', async () => {
  const asked = model();
  const said: string[] = [];
  const contexts = createEvalContexts(asked, {
    partTokens: 4_000,
    mostUsd: 1,
    say: (line) => said.push(line),
  });
  expect(await contexts.write('set', documents)).toEqual(
    new Map([
      ['pump.md-0', 'About the pump, 1.'],
      ['pump.md-1', 'About the pump, 2.'],
      ['note.md-0', 'About the pump, 1.'],
    ]),
  );
  const ofPump = asked.requests
    .map((request) => JSON.stringify(request))
    .find((text) => /pump\.md/.test(text));
  expect(ofPump).toContain('It leaks.\\n\\nThe seal is worn.');
  expect(said).toEqual([expect.stringContaining('contexts of 3 leaves in 2 calls of fake-model')]);
});

it('asks for nothing that would cost more than it may', async () => {
  const asked = model('claude-haiku-4-5');
  const contexts = createEvalContexts(asked, { partTokens: 4_000, mostUsd: 0, say: () => undefined });
  await expect(contexts.write('set', documents)).rejects.toThrow(UsageError);
  await expect(contexts.write('set', documents)).rejects.toThrow('--max-usd 1 allows it');
  expect(asked.requests).toEqual([]);
});
