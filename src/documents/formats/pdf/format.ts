import type { TextFormat } from '../format.ts';

const HEADER = '%PDF-';
/** A PDF may have something in front of its header (ISO 32000 leaves that to readers, which look this far). */
const HEADER_WITHIN = 1_024;

/** PDF by its text layer: plain text with pages, or Markdown where its headings are clear. */
export const pdfFormat: TextFormat<'pdf' | 'markdown'> = {
  fileTypes: [{ extension: '.pdf', mediaType: 'application/pdf' }],
  marks: {
    called: 'a PDF document',
    identify: (bytes) => bytes.toString('latin1', 0, HEADER.length) === HEADER,
    confirm: (bytes) => bytes.subarray(0, HEADER_WITHIN).includes(HEADER),
  },
  convert: async (bytes, { maxOutputBytes }) =>
    (await import('./convert.ts')).convertPdf(bytes, maxOutputBytes),
  repairAdvice: 'Open it in a PDF reader, save or print it as PDF again, and upload that.',
  loadParser: async () => (await import('../text/structure.ts')).plainTextStructure,
  hasPages: true,
};
