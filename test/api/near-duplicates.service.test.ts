import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
});
afterAll(() => forge.close());

const POLICY = `# Refunds

Refunds for enterprise customers are approved by the finance team after the account manager has written down why the customer asks
for one, which contract the refund belongs to, and whether the customer was promised anything else by sales before.
`;
const others = {
  'finance.md': '# Finance\n\nThe finance team approves refunds on Tuesdays, when Dana is in the office.\n',
  'sales.md': '# Sales\n\nSales promises refunds to enterprise customers that nobody has approved.\n',
  'support.md': '# Support\n\nSupport hears of refunds for enterprise customers when these complain.\n',
};

it('gives a near copy of a passage no place of its own, and names both files', async () => {
  await forge.upload('p', { 'policy-v1.md': POLICY });
  await forge.upload('p', {
    'policy-v2.md': POLICY.replace('on Tuesdays', '').replace('why', 'the reason why'),
  });
  await forge.upload('p', others);
  const { body: turn } = await forge.call('POST', '/projects/p/turns', {
    message: 'Who approves refunds for enterprise customers?',
    retrieval: 'always',
    min_score: 0,
  });
  expect(turn.status).toBe('completed');
  const receipt = (await forge.call('GET', '/projects/p/turns/1/context')).body;
  const documents = receipt.sections.find(({ name }: { name: string }) => name === 'retrieved_documents');
  const items: { filename: string; also_in?: string[] }[] = documents.items;
  const names = items.map(({ filename }) => filename);
  expect(names.toSorted()).toEqual(['finance.md', 'policy-v2.md', 'sales.md', 'support.md']);
  const policy = items.find(({ filename }) => filename === 'policy-v2.md');
  expect(policy?.also_in).toEqual(['policy-v1.md']);
  expect(documents.text).toContain('also_in="policy-v1.md"');
});
