import { expect, it } from 'vitest';
import { ACCEPTED_TYPES } from '../../src/documents/formats/registry.ts';
import { AppError } from '../../src/errors.ts';
import { detectUpload } from '../../src/services/detect-upload.ts';

it('says what an upload is, by its name and its content', () => {
  expect(detectUpload('a.pdf', Buffer.from('%PDF-1.7'))).toEqual({
    format: 'pdf',
    mediaType: 'application/pdf',
  });
});

it('refuses what no format takes, and lists what is accepted', () => {
  let refusal: unknown;
  try {
    detectUpload('tool.exe', Buffer.from('MZ'));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({
    code: 'unsupported_media_type',
    detail: expect.stringContaining('Files of type .exe are not accepted.'),
  });
  const { accepted } = (refusal as AppError).extra;
  expect(accepted).toHaveLength(ACCEPTED_TYPES.length);
  expect(accepted).toContainEqual({ extension: '.pdf', media_type: 'application/pdf' });
});
