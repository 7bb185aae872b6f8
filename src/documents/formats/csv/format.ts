import type { TextFormat } from '../format.ts';
import { TEXT_REPAIR_ADVICE } from '../text/format.ts';

/** Delimited text: values between commas, tabs, semicolons or bars. Which of them it is, the content says. */
export const csvFormat: TextFormat<'csv'> = {
  fileTypes: [
    { extension: '.csv', mediaType: 'text/csv' },
    { extension: '.tsv', mediaType: 'text/tab-separated-values' },
  ],
  convert: async (bytes, { maxOutputBytes }) =>
    (await import('./convert.ts')).convertCsv(bytes, maxOutputBytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  loadParser: async () => (await import('./structure.ts')).tableStructure,
  hasPages: false,
};
