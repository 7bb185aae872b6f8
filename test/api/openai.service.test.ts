import { afterEach, expect, it } from 'vitest';
import { startFakeChat } from '../fakes/openai-chat.ts';
import { startFakeEmbeddings } from '../fakes/openai-embeddings.ts';
import { startTestApp } from '../helpers/app.ts';
import { ROUTE } from '../helpers/keyed-app.ts';

// The production path on servers of one's own: the real client against servers that speak OpenAI's wire format.

const NOTES = '# People\n\nDana decides on the budget of 40,000 euros. Ilya is against it.\n';
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it('embeds, routes, answers with tools and accounts for it on OpenAI-compatible servers', async () => {
  let answers = 0;
  const chat = await startFakeChat({
    reply: ({ response_format: format, tools }) => {
      if (format) return { text: JSON.stringify(ROUTE) };
      if (!tools) return { text: 'Notes on who decides and what the budget is.' };
      answers += 1;
      const input = { statement: 'Dana can approve alone', confidence: 'guessed', impact: 'high' };
      return answers === 1
        ? {
            thoughts: { member: 'reasoning', pieces: ['Let me note that.'] },
            toolCalls: [
              {
                index: 0,
                id: 'c1',
                function: { name: 'register_assumption', arguments: JSON.stringify(input) },
              },
              { index: 1, id: 'c2', function: { name: 'update_skeleton', arguments: '{"field": "decisi' } },
            ],
          }
        : { text: 'Dana decides on the budget [1].', usage: null };
    },
  });
  closing.push(() => chat.close());
  const embeddings = await startFakeEmbeddings();
  closing.push(() => embeddings.close());
  const forge = await startTestApp({
    ownEmbeddings: true,
    settings: {
      LLM_PROVIDER: 'openai',
      LLM_BASE_URL: chat.url,
      MODEL_NAME: 'qwen3',
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_BASE_URL: embeddings.url,
      EMBEDDING_MODEL: 'nomic-embed-text',
      EMBEDDING_DIMENSIONS: '768',
    },
  });
  closing.push(() => forge.close());
  expect((await forge.call('GET', '/version')).body).toMatchObject({
    embedding: { provider: 'openai', model: 'nomic-embed-text', dimensions: 768 },
    models: { provider: 'openai', answer: 'qwen3', router: 'qwen3', summary: 'qwen3' },
  });

  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const file = await forge.upload('p', { 'notes.md': NOTES });
  expect(file.body).toMatchObject({ status: 'completed' });
  expect(embeddings.requests).not.toHaveLength(0);

  const { status, body } = await forge.call('POST', '/projects/p/turns', {
    message: 'Who decides on the budget?',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    response: 'Dana decides on the budget [1].',
    routing: { next_probe: ROUTE.next_probe, source: 'model' },
    citations: [{ marker: 1, filename: 'notes.md' }],
    model: 'qwen3',
  });
  expect(body.state_changes.map((change: { tool: string }) => change.tool)).toEqual(['register_assumption']);
  expect(body.usage.cost_usd).toBeNull();
  expect(body.usage.by_phase.answer.estimated).toBe(true);
  expect(body.usage.by_phase.route).not.toHaveProperty('estimated');
  const receipt = (await forge.call('GET', '/projects/p/turns/1/context')).body;
  expect(receipt.retrieval).toMatchObject({ documents: 'hybrid', embedding_model: 'nomic-embed-text' });
  const second = chat.requests.filter(({ tools }) => tools)[1];
  expect(second?.messages.slice(-2)).toMatchObject([
    { role: 'tool', tool_call_id: 'c1' },
    { role: 'tool', tool_call_id: 'c2', content: expect.stringMatching(/^Error: /) },
  ]);
});
