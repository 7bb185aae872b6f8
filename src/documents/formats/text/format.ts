import type { TextFormat } from '../format.ts';

/** For every format that is text: there is no program that would mend it. */
export const TEXT_REPAIR_ADVICE = 'Check what it holds, split it if it is large, and upload it again.';

/** Plain text. */
export const textFormat: TextFormat<'text'> = {
  fileTypes: [{ extension: '.txt', mediaType: 'text/plain' }],
  convert: async (bytes) => (await import('./convert.ts')).convertText(bytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  loadParser: async () => (await import('./structure.ts')).plainTextStructure,
  hasPages: false,
};
