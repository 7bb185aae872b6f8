import {
  type Facts,
  type GenerateRequest,
  type LanguageModel,
  ModelError,
  type ResearchFacts,
} from './model.ts';
import { answerFromFacts } from './offline/answer.ts';
import { documentExtract } from './offline/document-summary.ts';
import { researchStep } from './offline/research.ts';
import { routeByRules } from './offline/route.ts';
import { summaryFromFacts } from './offline/summary.ts';

/** Nothing was read or written by a model, and the usage says so. */
const FREE = {
  usage: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
  model: 'offline',
};

/**
 * What answers when there is no key to a language model: rules for routing, quotes from what was retrieved for answers,
 * extracts for summaries. It reads only the facts of a request, costs nothing, and the same facts give the same reply.
 */
export function createOfflineModel(): LanguageModel {
  return {
    provider: 'offline',
    id: 'offline',
    generate: async (request: GenerateRequest) => {
      const { facts, signal, onText } = request;
      if (signal?.aborted)
        throw new ModelError('The call was aborted', { reason: 'aborted', cause: signal.reason });
      if (facts.task === 'research') return { ...researchStep(facts, request), ...FREE };
      const text = write(facts);
      if (onText) for (const piece of piecesOf(text)) onText(piece);
      return {
        text,
        toolCalls: [],
        parts: [{ type: 'text', text }],
        stopReason: 'end_turn',
        ...FREE,
      };
    },
  };
}

function write(facts: Exclude<Facts, ResearchFacts>): string {
  switch (facts.task) {
    case 'route':
      return JSON.stringify(routeByRules(facts));
    case 'answer':
      return answerFromFacts(facts);
    case 'summarise':
      return facts.kind === 'part' || facts.kind === 'document'
        ? documentExtract(facts)
        : summaryFromFacts(facts);
  }
}

/** A stream of paragraphs: clients see the same events as with a model. */
function piecesOf(text: string): string[] {
  return text.split(/(?<=\n\n)/).filter((piece) => piece !== '');
}
