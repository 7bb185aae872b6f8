import type { Mode } from '../contract/state.ts';

export const ROUTE_ACTIONS = ['probe', 'synthesise', 'switch_mode', 'answer'] as const;
export type RouteAction = (typeof ROUTE_ACTIONS)[number];

/** Whether documents and older turns are looked up: as Phase A decides, or as the caller says. */
export type RetrievalOption = 'auto' | 'always' | 'never';

/**
 * Who decided: the small model, the offline rules, or nobody (`fallback`: the model failed or gave nonsense, and the
 * previous probe stays). `override`: one of them, with the caller's word on retrieval above it.
 */
export type RouteSource = 'model' | 'offline' | 'fallback' | 'override';

/** What Phase A gives. */
export interface RouteDecision {
  /** A probe of the active mode. */
  nextProbe: string | null;
  triggeredPatterns: string[];
  activeMode: Mode;
  action: RouteAction;
  requiresRetrieval: boolean;
  relevantFiles: string[];
  reason: string;
  source: RouteSource;
  /** What of the model's reply could not be used, and what was done instead. */
  notes: string[];
}
