/** What a leaf is embedded as. */
export interface EmbeddableLeaf {
  breadcrumb: string;
  text: string;
  /** What a model wrote on where it stands, if one did. */
  context?: string | null;
}

/** What a leaf is embedded as: its context header in front of its text, with its context between them. */
export function embeddingText({ breadcrumb, text, context }: EmbeddableLeaf): string {
  return [breadcrumb, ...(context ? [context] : []), text].join('\n\n');
}
