/**
 * The parts of a prompt, for people. Each belongs to a group, which has its colour in palette.css: a picture of fifteen
 * colours tells nothing, one of six does.
 */

/** @typedef {'instructions' | 'state' | 'turns' | 'documents' | 'routing' | 'message'} Group */

/** @type {Record<string, { label: string, group: Group }>} */
const SECTIONS = {
  tool_definitions: { label: 'Tool definitions', group: 'instructions' },
  core_instructions: { label: 'Core instructions', group: 'instructions' },
  probe: { label: 'Probe', group: 'instructions' },
  patterns: { label: 'Patterns', group: 'instructions' },
  context_block: { label: 'Project and files', group: 'state' },
  register: { label: 'Assumption register', group: 'state' },
  skeleton: { label: 'Document skeleton', group: 'state' },
  recent_turns: { label: 'Recent turns', group: 'turns' },
  retrieved_turns: { label: 'Recalled turns', group: 'turns' },
  retrieved_documents: { label: 'Documents', group: 'documents' },
  routing_context: { label: 'Position', group: 'routing' },
  routing_decision: { label: 'Routing decision', group: 'routing' },
  message: { label: 'Message', group: 'message' },
  research_task: { label: 'Research task', group: 'message' },
};

/** @type {{ group: Group, label: string }[]} In the order of a prompt. */
export const GROUPS = [
  { group: 'instructions', label: 'Instructions' },
  { group: 'state', label: 'State' },
  { group: 'turns', label: 'Conversation' },
  { group: 'documents', label: 'Documents' },
  { group: 'routing', label: 'Routing' },
  { group: 'message', label: 'Message' },
];

/**
 * A part that is not known here is shown under its own name.
 *
 * @param {string} name
 */
export const sectionOf = (name) =>
  Object.hasOwn(SECTIONS, name)
    ? /** @type {{ label: string, group: Group }} */ (SECTIONS[name])
    : { label: name.replaceAll('_', ' '), group: /** @type {Group} */ ('routing') };
