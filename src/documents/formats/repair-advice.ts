import type { UploadFormat } from './detect.ts';

/** What the owner of a file can do when it cannot be read, by its format; whole sentences. */
export function repairAdvice(format: UploadFormat): string {
  switch (format) {
    case 'docx':
      return 'Open it in Word, save it again as .docx, and upload that.';
    case 'pdf':
      return 'Open it in a PDF reader, save or print it as PDF again, and upload that.';
    default:
      return 'Check what it holds, split it if it is large, and upload it again.';
  }
}
