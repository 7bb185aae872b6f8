// What the demo reads of the service's answers; they hold more.

export interface FileAnswer {
  name: string;
  status: string;
  chunk_count: number;
  parent_count: number;
  token_estimate: number;
  last_error: { code: string; message: string } | null;
}

export interface Citation {
  marker: number;
  filename: string;
  version: number;
  header_path: string[];
  char_start: number;
  char_end: number;
  quote: string;
}

export interface Routing {
  next_probe: string | null;
  action: string;
  requires_retrieval: boolean;
  source: string;
}

export interface TurnAnswer {
  turn_number: number;
  status: string;
  message: string;
  response: string;
  routing: Routing;
  citations: Citation[];
}

export interface ReceiptItem {
  id: string;
  tokens: number;
  filename?: string;
  header_path?: string[];
  turn_number?: number;
}

export interface Receipt {
  tokens: number;
  sections: { name: string; tokens: number; items: ReceiptItem[]; text: string }[];
}

export interface Passage {
  kind: 'document' | 'turn';
  filename?: string;
  turn_number?: number;
}

export interface KnowledgeAnswer {
  modes: {
    core: { tokens: number };
    probes: { tokens: number; key: string; title: string }[];
    patterns: { tokens: number }[];
    risks: { tokens: number } | null;
  }[];
}

export interface RunAnswer {
  status: string;
  answer: string | null;
  steps: { tool: string }[];
  citations: Citation[];
}
