import type { StaleCause } from '../../contract/staleness.ts';

/**
 * The sections of a prompt, in the order in which they are sent: what changes least stands first. Those up to `patterns`
 * are instructions and make the system prompt; all others are data, and stand on the user side.
 */
export const SECTION_ORDER = [
  'tool_definitions',
  'core_instructions',
  'probe',
  'patterns',
  'context_block',
  'recent_turns',
  'retrieved_documents',
  'retrieved_turns',
  'register',
  'skeleton',
  'routing_context',
  'routing_decision',
  'message',
] as const;
/**
 * `research_task` stands at the end of the system prompt of a turn that is answered by research. `tool_results` come while the model answers: they follow everything that was assembled before.
 */
export type SectionName = (typeof SECTION_ORDER)[number] | 'research_task' | 'tool_results';

/** What an item is when the budget looks for something to leave out; `fixed` is never left out. */
export type ItemKind =
  | 'fixed'
  | 'probe'
  | 'pattern'
  | 'organisation'
  | 'file'
  | 'document'
  | 'recalled_turn'
  | 'assumption'
  | 'skeleton_field'
  | 'conversation_summary'
  | 'recent_turn'
  | 'tool_result';

/** What is sent for an item. */
export interface ItemForm {
  text: string;
  /** Of the text and of what the provider's format adds to it. */
  tokens: number;
  /** For an exchange that is sent as two messages rather than as text. */
  exchange?: { message: string; response: string };
}

export interface Item {
  kind: ItemKind;
  /** Names it in the receipt. */
  id: string;
  /** Among items of its kind the one of lowest value goes first. */
  value: number;
  full: ItemForm;
  /** A shorter form that keeps the gist, if there is one. */
  narrow?: ItemForm;
  /** Further members of the item in the receipt; `stale`: the files that have changed since it was taken from them. */
  details?: { stale?: readonly StaleCause[]; [member: string]: unknown };
}

export interface Section {
  name: SectionName;
  /** Stand around the items; counted with them. */
  open: string;
  close: string;
  items: Item[];
  /** A line behind the opening that says how many of the items are sent. */
  shown?: (items: number) => string;
  /** Sent even without items. */
  always?: true;
}

/** Tokens that the provider's format adds to each message (role and separators), on the safe side. */
export const MESSAGE_FRAMING = 4;
