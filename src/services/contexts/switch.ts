import { AppError } from '../../errors.ts';
import type { LanguageModel } from '../../llm/model.ts';

/** Whether contexts are written, and by what. */
export interface ContextTerms {
  model: Pick<LanguageModel, 'id' | 'provider'>;
  /** What counts for files and projects that say nothing. */
  byDefault: boolean;
  /** The most tokens of a document that one call reads. */
  partTokens: number;
}

/** Rules cannot say where a passage stands. */
const isAvailable = ({ model }: ContextTerms): boolean => model.provider !== 'offline';

/** Whether leaves are to have contexts, by what their file or project has. */
export const isWanted = ({ byDefault }: ContextTerms, contextual: boolean | null): boolean =>
  contextual ?? byDefault;

/** Whether contexts are written. */
export const isWritten = (terms: ContextTerms, contextual: boolean | null): boolean =>
  isWanted(terms, contextual) && isAvailable(terms);

/**
 * Refuses contexts where no model could write them.
 *
 * @throws AppError `contexts_unavailable`
 */
export function assertWritable(terms: ContextTerms, contextual: boolean | null): void {
  if (contextual !== true || isAvailable(terms)) return;
  throw new AppError('contexts_unavailable', {
    detail:
      'Contexts are written by a language model, and the service has none: set ANTHROPIC_API_KEY, or LLM_PROVIDER and what belongs to it, and start it again.',
  });
}
