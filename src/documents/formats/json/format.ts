import type { TextFormat } from '../format.ts';
import { TEXT_REPAIR_ADVICE } from '../text/format.ts';

/** JSON, with comments and trailing commas taken as they come. */
export const jsonFormat: TextFormat<'json'> = {
  fileTypes: [{ extension: '.json', mediaType: 'application/json' }],
  convert: async (bytes) => (await import('./convert.ts')).convertJson(bytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  loadParser: async () => (await import('./structure.ts')).jsonStructure,
  hasPages: false,
};
