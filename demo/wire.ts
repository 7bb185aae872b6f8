import type { Schema } from '../clients/typescript/src/index.ts';

// What the demo calls the service's answers.

export type FileAnswer = Schema<'StoredFile'>;
export type TurnAnswer = Schema<'Turn'>;
export type TurnEvent = Schema<'TurnEvent'>;
export type Routing = Extract<TurnEvent, { event: 'route.decided' }>['data'];
export type ResearchEvent = Schema<'ResearchEvent'>;
export type RunAnswer = Schema<'ResearchRun'>;
export type Receipt = Schema<'TurnContext'>;
/** What else an item says depends on its section. */
export type ReceiptItem = Receipt['sections'][number]['items'][number] & {
  filename?: string;
  header_path?: string[];
};
export type Citation = TurnAnswer['citations'][number];
export type KnowledgeAnswer = Schema<'Knowledge'>;
