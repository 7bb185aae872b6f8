import {
  type Facts,
  type GenerateRequest,
  type Generation,
  type LanguageModel,
  ModelError,
  type ResearchFacts,
  type ToolCallPart,
} from './model.ts';
import { answerFromFacts } from './offline/answer.ts';
import { calledIn, callsFor } from './offline/calls.ts';
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
 * extracts for summaries, and calls of tools for what a message states plainly. It reads only the facts of a request and
 * the results of its own calls, costs nothing, and the same request gives the same reply.
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
      const calls = facts.task === 'answer' ? callsFor(facts, request) : [];
      if (calls.length > 0) return generation('', calls);
      const text = write(facts, request.messages);
      if (onText) for (const piece of piecesOf(text)) onText(piece);
      return generation(text, []);
    },
  };
}

const generation = (text: string, toolCalls: ToolCallPart[]): Generation => ({
  text,
  toolCalls,
  parts: toolCalls.length > 0 ? toolCalls : [{ type: 'text', text }],
  stopReason: toolCalls.length > 0 ? 'tool_use' : 'end_turn',
  ...FREE,
});

function write(facts: Exclude<Facts, ResearchFacts>, messages: GenerateRequest['messages']): string {
  switch (facts.task) {
    case 'route':
      return JSON.stringify(routeByRules(facts));
    case 'place':
      return JSON.stringify({ contexts: [] });
    case 'answer':
      return answerFromFacts(facts, calledIn(messages));
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
