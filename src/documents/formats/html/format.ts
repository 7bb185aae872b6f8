import type { Format } from '../format.ts';

/** Pages of HTML, read as a browser reads them. They become Markdown. Nothing that they refer to is fetched. */
export const htmlFormat: Format<'markdown'> = {
  fileTypes: [
    { extension: '.html', mediaType: 'text/html' },
    { extension: '.htm', mediaType: 'text/html' },
  ],
  convert: async (bytes) => (await import('./convert.ts')).convertHtml(bytes),
  repairAdvice: 'Open it in a browser, save the page again, and upload that.',
};
