import { oneLine } from '../../text/one-line.ts';

const LONGEST_NAME = 255;
const LONGEST = 600;

/**
 * The context header of a leaf or a parent: `[Source: report.docx > Findings > Enterprise]`, on one line and at most
 * 600 characters; the outermost headings are left out when it would be longer.
 */
export function breadcrumb(filename: string, headerPath: readonly string[]): string {
  const name = oneLine(filename, LONGEST_NAME);
  const headings = [...headerPath];
  let line = `[Source: ${[name, ...headings].join(' > ')}]`;
  while (line.length > LONGEST && headings.length > 0) {
    headings.shift();
    line = `[Source: ${[name, '…', ...headings].join(' > ')}]`;
  }
  return line;
}
