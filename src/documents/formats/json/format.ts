import type { TextFormat } from '../format.ts';
import { sectionsOfMembers } from '../structured/sections.ts';
import { TEXT_REPAIR_ADVICE } from '../text/format.ts';
import { jsonMembers } from './members.ts';
import { jsonOutline } from './outline.ts';

/** JSON, with comments and trailing commas taken as they come. */
export const jsonFormat: TextFormat<'json'> = {
  fileTypes: [{ extension: '.json', mediaType: 'application/json' }],
  convert: async (bytes) => (await import('./convert.ts')).convertJson(bytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  // Sections need only the outer members, which a scan for brackets finds; the outline reads every value.
  parse: (text) => ({
    sections: (longestValue) => sectionsOfMembers(text, jsonMembers(text), longestValue),
    outline: (limits) => jsonOutline(text, limits),
  }),
  hasPages: false,
};
