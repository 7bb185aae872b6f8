import type { Format } from '../format.ts';
import { isEncryptedOffice } from '../ole.ts';
import { zipMentions } from '../zip-names.ts';

const OPENXML = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const MACROS = 'application/vnd.ms-word';

/** Documents and templates of Word, since 2007. They become Markdown. */
export const docxFormat: Format<'markdown'> = {
  fileTypes: [
    { extension: '.docx', mediaType: `${OPENXML}.document` },
    { extension: '.dotx', mediaType: `${OPENXML}.template` },
    { extension: '.docm', mediaType: `${MACROS}.document.macroEnabled.12` },
    { extension: '.dotm', mediaType: `${MACROS}.template.macroEnabled.12` },
  ],
  marks: {
    called: 'a Word document',
    identify: (bytes) => zipMentions(bytes, 'word/', 'wordprocessingml') || isEncryptedOffice(bytes),
  },
  convert: async (bytes) => (await import('./convert.ts')).convertDocx(bytes),
  repairAdvice: 'Open it in Word, save it again as .docx, and upload that.',
  sample: async () => (await import('./sample-report.ts')).sampleReport(),
};
