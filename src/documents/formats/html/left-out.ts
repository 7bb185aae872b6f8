import { countLetters } from '../to-markdown/letters.ts';
import { attribute, type Element, type Parent, walk } from './parse.ts';

/** What becomes of the parts of a page that are no text; undefined where there is nothing to miss. */
const LEFT_OUT = new Map<string, string | undefined>([
  ...['script', 'style', 'template', 'noscript', 'title', 'noembed', 'noframes', 'rp'].map(
    (name) => [name, undefined] as const,
  ),
  ...['annotation', 'annotation-xml'].map((name) => [name, undefined] as const),
  ...['iframe', 'object', 'embed', 'applet', 'frame'].map((name) => [name, 'embedded_document'] as const),
  ...['svg', 'canvas'].map((name) => [name, 'graphic'] as const),
  ...['video', 'audio'].map((name) => [name, 'recording'] as const),
  ...['select', 'datalist'].map((name) => [name, 'form_field'] as const),
]);

/** Kinds of loss that count only where there was text. */
const ONLY_WITH_TEXT = new Set(['graphic', 'hidden_text', 'navigation', 'header_footer']);

/** What there is to say about what is left out. */
export const DETAILS: Readonly<Record<string, string>> = {
  embedded_document:
    'Pages and objects embedded in this one are not read: upload them as files of their own.',
  graphic: 'Text within drawings (SVG, canvas) is left out.',
  recording: 'Video and audio are left out.',
  form_field: 'Lists to choose from are left out.',
  hidden_text: 'Text that a browser does not show is left out.',
  navigation: 'Menus outside the main content are left out.',
  header_footer: 'Headers and footers of the page, outside its main content, are left out.',
  layout: 'Tables and lists that arrange the page (they hold headings or tables) became plain text.',
};

function isHidden(element: Element): boolean {
  const hidden = attribute(element, 'hidden');
  // What is hidden until it is found is there to be found.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  if (element.tagName === 'dialog' && attribute(element, 'open') === undefined) return true;
  return /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(
    attribute(element, 'style') ?? '',
  );
}

/** Whether an element is never read, and which kind of loss that is, if any. */
export function leftOut(element: Element): { kind: string | undefined } | undefined {
  if (LEFT_OUT.has(element.tagName)) return { kind: LEFT_OUT.get(element.tagName) };
  return isHidden(element) ? { kind: 'hidden_text' } : undefined;
}

/** Whether leaving an element out is worth a line in the report. */
export function isLoss(kind: string, element: Element): boolean {
  return !ONLY_WITH_TEXT.has(kind) || hasLetters(element);
}

/** Whether a browser would show a letter or a digit of this. */
export function hasLetters(root: Parent): boolean {
  let found = false;
  walk(root, {
    element: (element) => (found || LEFT_OUT.has(element.tagName) ? 'skip' : undefined),
    text: (value) => {
      found ||= countLetters(value) > 0;
    },
  });
  return found;
}
