/** The tools of a service with everything on, in their order. */
export const TOOL_NAMES = [
  'list_project_files',
  'document_outline',
  'find_sections',
  'read_pointer',
  'search_documents',
  'search_in_document',
  'summarize_document',
  'search_knowledge_base',
];
