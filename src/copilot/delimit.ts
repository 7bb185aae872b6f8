/*
 * Text that the user, a document or a model wrote stands in the prompt between tags of ours. It must not be able to
 * close its own tag or open another, so `<` before the name of such a tag is written `&lt;` there. Everything else of
 * the text (HTML tables, code) stays as it is.
 */
export const TAGS = [
  'project_context',
  'organisation',
  'files',
  'documents',
  'document',
  'outline',
  'passage',
  'earlier_exchanges',
  'exchange',
  'assumption_register',
  'skeleton',
  'routing_context',
  'routing_decision',
  'probe',
  'patterns',
  'pattern',
  'recent_turns',
  'conversation_summary',
  'message',
  'tool_result',
] as const;

type Tag = (typeof TAGS)[number];

// one class for blanks and slashes: two stars in a row would backtrack quadratically on a long run of blanks
const OWN_TAG = new RegExp(`<(?=[\\s/]*(?:${TAGS.join('|')})\\b)`, 'gi');
const IN_ATTRIBUTE = /[<>&"\p{Cc}]/gu;
const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** The text with no way out of the tags that the prompt puts around it. */
export function asData(text: string): string {
  return text.replace(OWN_TAG, '&lt;');
}

const attribute = (value: string | number): string =>
  String(value).replace(IN_ATTRIBUTE, (character) => ENTITIES[character] ?? ' ');

/** An opening tag with its attributes; null ones are left out. */
export function openTag(name: Tag, attributes: Record<string, string | number | null> = {}): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${attribute(value)}"`],
  );
  return `<${name}${written.join('')}>`;
}

export const closeTag = (name: Tag): string => `</${name}>`;
