import type { TextFormat } from '../format.ts';
import { TEXT_REPAIR_ADVICE } from '../text/format.ts';

/** Markdown by CommonMark's rules, with GFM's tables and with front matter. */
export const markdownFormat: TextFormat<'markdown'> = {
  fileTypes: [
    { extension: '.md', mediaType: 'text/markdown' },
    { extension: '.markdown', mediaType: 'text/markdown' },
  ],
  convert: async (bytes) => (await import('./convert.ts')).convertMarkdown(bytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  loadParser: async () => (await import('./structure.ts')).markdownStructure,
  hasPages: false,
};
