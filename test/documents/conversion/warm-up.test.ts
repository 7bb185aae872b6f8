import { expect, it } from 'vitest';
import { sampleReport } from '../../../src/documents/conversion/warm-up.ts';
import { convertDocx } from '../../../src/documents/formats/docx/convert.ts';

it('warms up on a document that goes all the way', async () => {
  const { fidelity, markdown } = await convertDocx(sampleReport());
  expect(fidelity).toMatchObject({ score: 1, counts: { headings: { result: 10 }, tables: { result: 10 } } });
  expect(markdown).toContain('## Finding 9');
});
