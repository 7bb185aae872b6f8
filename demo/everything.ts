import { countTokens } from '../src/text/tokens.ts';
import type { KnowledgeAnswer, TurnAnswer } from './wire.ts';

/** Tokens of all texts of the copilot's own expertise, as the service counts them. */
export const knowledgeTokens = ({ modes }: KnowledgeAnswer): number =>
  modes
    .flatMap((mode) => [mode.core, ...mode.probes, ...mode.patterns, mode.risks ?? { tokens: 0 }])
    .reduce((sum, { tokens }) => sum + tokens, 0);

/** What a prompt would cost that holds every document, all of the conversation and all of the expertise. */
export function tokensOfEverything(
  documents: readonly string[],
  knowledge: number,
  history: readonly TurnAnswer[],
  message: string,
): number {
  const texts = [...documents, ...history.flatMap((turn) => [turn.message, turn.response ?? '']), message];
  return texts.reduce((sum, text) => sum + countTokens(text), knowledge);
}
