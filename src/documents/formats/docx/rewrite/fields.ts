import { child, childValue, elements, integer, toggle } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';

/** What a field of the document is for, as far as the text is concerned. */
export type FieldResult =
  | { kind: 'link'; target: string }
  | { kind: 'checkbox'; checked: boolean }
  | { kind: 'choice'; text: string }
  | { kind: 'contents' }
  | { kind: 'page_number' }
  | { kind: 'shown' };

/** What stands for the number of a page where the text says the same on every page. */
export const PAGE_NUMBER = '\ue000';

/** The words of a field's instruction: `HYPERLINK "a b" \l "c"` gives four. */
function words(instruction: string): string[] {
  return [...instruction.slice(0, 4_000).matchAll(/"([^"]*)"|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

function link(args: string[]): FieldResult {
  let address = '';
  let anchor = '';
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '\\l') {
      anchor = args[index + 1] ?? '';
      index += 1;
    } else if (word === '\\o' || word === '\\t') index += 1;
    else if (!word.startsWith('\\') && address === '') address = word;
  }
  return { kind: 'link', target: anchor === '' ? address : `${address}#${anchor}` };
}

/**
 * Reads a field's instruction (ECMA-376 part 1, 17.16).
 *
 * @param formData `w:ffData` of a form field
 */
export function readField(instruction: string, formData?: XmlElement): FieldResult {
  const [name = '', ...args] = words(instruction.trim());
  switch (name.toUpperCase()) {
    case 'HYPERLINK':
      return link(args);
    case 'TOC':
      return { kind: 'contents' };
    case 'PAGE':
    case 'NUMPAGES':
    case 'SECTIONPAGES':
      return { kind: 'page_number' };
    case 'FORMCHECKBOX': {
      const box = child(formData, 'w:checkBox');
      return { kind: 'checkbox', checked: toggle(box, 'w:checked') ?? toggle(box, 'w:default') ?? false };
    }
    case 'FORMDROPDOWN': {
      const list = child(formData, 'w:ddList');
      const entries = elements(list).filter((entry) => entry.name === 'w:listEntry');
      const chosen = integer(childValue(list, 'w:result')) ?? integer(childValue(list, 'w:default')) ?? 0;
      return { kind: 'choice', text: entries[chosen]?.attributes.get('w:val') ?? '' };
    }
    default:
      return { kind: 'shown' };
  }
}

/** The fields that are open at a point of the document: they nest, and may run over several paragraphs. */
export interface OpenField {
  instruction: string;
  formData: XmlElement | undefined;
  /** Undefined while the instruction is being read: text there is not shown. */
  result: FieldResult | undefined;
}
