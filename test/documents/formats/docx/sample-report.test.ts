import { expect, it } from 'vitest';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { sampleReport } from '../../../../src/documents/formats/docx/sample-report.ts';

it('is a document that a conversion goes all the way through', async () => {
  const { fidelity, markdown } = await convertDocx(sampleReport());
  expect(fidelity).toMatchObject({ score: 1, counts: { headings: { result: 10 }, tables: { result: 10 } } });
  expect(markdown).toContain('## Finding 9');
});
