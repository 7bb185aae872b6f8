import { expect, it } from 'vitest';
import { blocksOf, CUT, harbour, passagesOf, placed } from '../helpers/context-requests.ts';
import { contextBenches, startContextApp } from '../helpers/contexts.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';

const bench = contextBenches();

/** In three calls: ten leaves, ten, and five. */
const SECTIONS = 25;
const READY = { state: 'ready', leaves: SECTIONS, last_error: null };

it('writes contexts behind a cached prefix, the first call alone, and finds leaves by their words and vectors', async () => {
  const [first, second, others] = [gate(), gate(), gate()];
  let under = 0;
  const { forge, asked, put, ...b } = await bench(async (request, index) => {
    under += 1;
    if (index === 0) await first.opened;
    if (index === 1) second.open();
    // the second waits until the third is there, too
    if (index === 2) others.open();
    if (index > 0) await others.opened;
    under -= 1;
    return placed(request);
  });
  const upload = put('harbour.md', harbour(SECTIONS));
  await expect.poll(() => asked.length).toBe(1);
  expect(await b.file('harbour.md')).toMatchObject({
    status: 'completed',
    contextual: null,
    contexts: { state: 'pending', leaves: 0, last_error: null },
  });
  // found already, and by its meaning too
  expect((await forge.call('POST', '/projects/p/search', { query: 'ferry quay 7' })).body).toMatchObject({
    strategy: 'hybrid',
    vectors_pending: 0,
  });
  expect([asked.length, under]).toEqual([1, 1]);
  first.open();
  await second.opened;
  await others.opened;
  await upload;

  expect(asked).toHaveLength(3);
  expect(asked.map((request) => passagesOf(request).length)).toEqual([10, 10, 5]);
  const prefixes = new Set(
    asked.map((request) => JSON.stringify([request.system, blocksOf(request).prefix])),
  );
  expect(prefixes.size).toBe(1);
  expect(blocksOf(asked[0]).prefix).toMatchObject({
    text: `<document source="harbour.md">\n${harbour(SECTIONS)}\n</document>`,
    cache_control: { type: 'ephemeral' },
  });
  expect(new Set(asked.map((request) => JSON.stringify(request.output_config))).size).toBe(1);

  expect(await b.contexts('harbour.md')).toEqual(READY);
  const leaves = await b.leaves('harbour.md');
  expect(leaves.map(({ context }) => context)).toEqual(
    Array.from({ length: SECTIONS }, (_, at) => `Of the archipelago guide, on Quay ${at}.`),
  );
  const [hit] = await b.words('archipelago quay 7');
  expect(hit?.text).toContain('The ferry of quay 7 sails');
  expect(JSON.stringify(await b.words('archipelago quay 7'))).not.toContain('archipelago');
  expect(await b.vectors()).toEqual({ with: SECTIONS, without: 0 });
  expect(b.embeddings.calls.flat()).toContainEqual(
    expect.stringMatching(
      /^\[Source: harbour\.md > Quay 7\]\n\nOf the archipelago guide, on Quay 7\.\n\n# Quay 7/,
    ),
  );
  const used = await b.usage('leaf_contexts');
  expect(used).toMatchObject({ calls: 3 });
  expect(used.cached_tokens).toBe(2 * used.cache_write_tokens);
  expect(used.cost_usd).toBeGreaterThan(0);
});

it('a dry run says what it takes, before it is taken', async () => {
  const { forge, put, ...b } = await bench();
  const preview = await put('harbour.md', harbour(SECTIONS), '&dry_run=true');
  expect(b.asked).toHaveLength(0);
  await put('harbour.md', harbour(SECTIONS));
  const used = await b.usage('leaf_contexts');
  const { contexts, embedding } = preview.body;
  expect(contexts).toMatchObject({ model: 'claude-haiku-5-5', leaves: SECTIONS, calls: used.calls });
  for (const figure of ['input_tokens', 'cached_tokens', 'cache_write_tokens'] as const) {
    // the server counts a token for four characters, and this model makes more of a text than o200k
    expect(contexts[figure] / 1.3 / used[figure]).toBeCloseTo(1, 0.5);
  }
  expect(contexts.cost_usd).toBeGreaterThan(0);
  const without = await put('other.md', harbour(SECTIONS), '&dry_run=true&contextual=false');
  expect(without.body.contexts).toBeNull();
  expect(embedding.tokens).toBeGreaterThan(2 * without.body.embedding.tokens);
  const small = await put('small.md', harbour(3), '&dry_run=true');
  // one call alone has nothing to gain from the cache
  expect(small.body.contexts).toMatchObject({ calls: 1, cached_tokens: 0, cache_write_tokens: 0 });
  await put('small.md', harbour(3));
  expect(blocksOf(b.asked.at(-1)).prefix).not.toHaveProperty('cache_control');
});

it('leaves that are the same in a new version keep their contexts and their vectors', async () => {
  const { put, ...b } = await bench();
  await put('harbour.md', harbour(SECTIONS));
  const before = [b.asked.length, b.embeddings.calls.flat().length];
  await put('harbour.md', harbour(SECTIONS, { 3: 'The quay is closed for repairs until the spring.' }));
  const [request, ...more] = b.asked.slice(before[0]);
  expect(more).toEqual([]);
  expect(request && passagesOf(request)).toEqual([
    { passage: 1, text: '# Quay 3\n\nThe quay is closed for repairs until the spring.' },
  ]);
  expect(await b.contexts('harbour.md')).toEqual(READY);
  expect(await b.vectors()).toEqual({ with: SECTIONS, without: 0 });
  // once alone, once with its context
  const embedded = b.embeddings.calls.flat().slice(before[1]);
  expect(embedded.filter((text) => text.includes('[Source: harbour.md'))).toHaveLength(2);
  expect((await b.words('archipelago quay 9'))[0]?.text).toContain('quay 9');
  // another name asks for nothing, and takes them along
  const asked = b.asked.length;
  await b.forge.call('PATCH', '/projects/p/files/harbour.md', { name: 'port.md' });
  await b.forge.settle();
  expect(b.asked).toHaveLength(asked);
  expect((await b.leaves('port.md')).every(({ context }) => context !== null)).toBe(true);
  expect((await b.words('archipelago quay 9'))[0]?.text).toContain('quay 9');
});

it('counts the contexts of the version that is searched while those of its other leaves are written', async () => {
  const held = gate();
  // three calls for the first version, and two for what is new in the second
  const { put, ...b } = await bench(async (request, index) => {
    if (index === 4) await held.opened;
    return placed(request);
  });
  await put('harbour.md', harbour(SECTIONS));
  const closed = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, `Quay ${at} is closed.`]));
  const replaced = put('harbour.md', harbour(SECTIONS, closed));
  await expect.poll(() => b.asked.length).toBe(5);
  expect(await b.contexts('harbour.md')).toEqual({ state: 'pending', leaves: 23, last_error: null });
  held.open();
  await replaced;
  expect(await b.contexts('harbour.md')).toEqual(READY);
});

it('asks once more for what a reply leaves out, and then goes without it', async () => {
  let broken = true;
  const { put, ...b } = await bench((request) => {
    const all = passagesOf(request);
    if (!broken) return placed(request);
    if (all.length === 10) return { text: 'I cannot do that.', stopReason: 'refusal' };
    const long = 'Quay\n\u0000 <b>'.repeat(400);
    return {
      json: {
        contexts: [
          { passage: 1, context: long },
          { passage: 1, context: 'A second one.' },
          { passage: 2, context: '   ' },
          { passage: 99, context: 'Of another passage.' },
        ],
      },
    };
  });
  await put('harbour.md', harbour(12));
  // twice ten; two, of which one stays out, and that one again
  expect(b.asked.map((request) => passagesOf(request).length)).toEqual([10, 10, 2, 1]);
  expect(await b.contexts('harbour.md')).toEqual({ state: 'partial', leaves: 2, last_error: null });
  const written = (await b.leaves('harbour.md')).flatMap(({ context }) => context ?? []);
  expect(written).toHaveLength(2);
  for (const context of written) {
    expect(context).not.toContain('\n');
    expect(context.length).toBeLessThan(1_000);
  }
  expect((await b.words('ferry quay 4'))[0]?.text).toContain('quay 4');
  expect(await b.vectors()).toEqual({ with: 2, without: 10 });
  broken = false;
  expect((await b.apply()).body).toMatchObject({ written: [{ name: 'harbour.md', leaves: 10, calls: 1 }] });
  await b.forge.settle();
  expect(await b.contexts('harbour.md')).toEqual({ state: 'ready', leaves: 12, last_error: null });
});

it('what fails for good leaves what is written, and is gone on with when it is asked for', async () => {
  let failing = true;
  const { put, ...b } = await bench((request, index) =>
    failing && index > 0 ? { status: 400, message: 'prompt is too long' } : placed(request),
  );
  await put('harbour.md', harbour(SECTIONS));
  expect(await b.contexts('harbour.md')).toMatchObject({
    state: 'partial',
    leaves: 10,
    last_error: { code: 'model_rejected', retryable: true },
  });
  // what was written counts, and the vectors are as they were
  expect((await b.words('archipelago quay 3'))[0]?.text).toContain('quay 3');
  expect(await b.vectors()).toEqual({ with: 0, without: SECTIONS });
  expect(await b.file('harbour.md')).toMatchObject({ status: 'completed', vectors_pending: 0 });
  failing = false;
  const before = b.asked.length;
  expect((await b.apply({ names: ['harbour.md'] })).body).toMatchObject({
    estimate: { leaves: 15, calls: 2 },
  });
  await b.forge.settle();
  expect(b.asked.slice(before).map((request) => passagesOf(request).length)).toEqual([10, 5]);
  expect(await b.contexts('harbour.md')).toEqual(READY);
  expect(await b.vectors()).toEqual({ with: SECTIONS, without: 0 });
});

it('a process that ends in the middle pays for nothing twice', async () => {
  const held = gate();
  const db = await openTestDatabase();
  const first = await startContextApp(
    async (request, index) => {
      if (index > 0) await held.opened;
      return placed(request);
    },
    { db: { ...db, close: async () => undefined }, settings: { SHUTDOWN_SECONDS: '1' } },
  );
  await first.forge.upload('p', { 'harbour.md': harbour(SECTIONS) }, { prefer: 'respond-async' }, `?${CUT}`);
  await expect.poll(() => first.asked.length).toBe(3);
  await first.forge.close();
  const second = await bench(placed, { db });
  await second.forge.settle();
  expect(second.asked.map((request) => passagesOf(request).length)).toEqual([10, 5]);
  expect(await second.contexts('harbour.md')).toEqual(READY);
  held.open();
  await first.close();
});

it('a long document is read in parts with the headings of the whole', async () => {
  const { put, ...b } = await bench(placed, { settings: { CONTEXTUAL_DOCUMENT_TOKENS: '2000' } });
  const text = harbour(100);
  await put('harbour.md', text);
  expect(await b.contexts('harbour.md')).toMatchObject({ state: 'ready', leaves: 100 });
  const prefixes = [...new Set(b.asked.map((request) => blocksOf(request).prefix?.text ?? ''))];
  expect(prefixes.length).toBeGreaterThan(1);
  for (const [index, prefix] of prefixes.entries()) {
    expect(prefix).toMatch(/^<outline source="harbour\.md">\n- Quay 0\n- Quay 1\n/);
    expect(prefix).toContain(`<document source="harbour.md" part="${index + 1} of ${prefixes.length}">`);
  }
  for (const request of b.asked) {
    for (const passage of passagesOf(request)) expect(blocksOf(request).prefix?.text).toContain(passage.text);
  }
});

it.each([
  ['by words alone', { mode: 'lexical' }, {}],
  ['without an encoder', {}, { EMBEDDING_PROVIDER: 'off' }],
  ['by words and vectors', { mode: 'hybrid' }, {}],
])('a word that only a context has brings its leaf above the floor %s', async (_, mode, settings) => {
  const { put, forge } = await bench(
    (request) => ({
      json: {
        contexts: passagesOf(request).map(({ passage, text }) => ({
          passage,
          context: text.startsWith('# Quay 7') ? 'Of the harbour of Longyearbyen.' : 'Of a harbour.',
        })),
      },
    }),
    { settings },
  );
  await put('harbour.md', harbour(SECTIONS));
  const { body } = await forge.call('POST', '/projects/p/search', { query: 'Longyearbyen', ...mode });
  expect(body.data.map(({ text }: { text: string }) => text)).toEqual([
    expect.stringContaining('The ferry of quay 7 sails'),
  ]);
  expect(JSON.stringify(body.data)).not.toContain('Longyearbyen');
  expect(
    (await forge.call('POST', '/projects/p/search', { query: 'Barentsburg', ...mode })).body.data,
  ).toEqual([]);

  // nor does a name that only the context has count against it
  const named = await forge.call('POST', '/projects/p/search', {
    query: 'ferry of quay 7 in Longyearbyen',
    ...mode,
  });
  expect(named.body.data[0].text).toContain('The ferry of quay 7 sails');
  expect(named.body.data[0].score).toBeGreaterThan(0.8);

  const turn = await forge.call('POST', '/projects/p/turns', {
    message: 'What is there in Longyearbyen?',
    retrieval: 'always',
  });
  const receipt = await forge.call('GET', `/projects/p/turns/${turn.body.turn_number}/context`);
  expect(JSON.stringify(receipt.body)).toContain('The ferry of quay 7 sails');
});
