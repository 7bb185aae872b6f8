import type { GenerateRequest, Generation, ResearchFacts } from '../model.ts';
import { planStep } from './plan.ts';

/** One step of research as a model would take it: a thought, then calls or the answer. */
export function researchStep(
  facts: ResearchFacts,
  { onText, onReasoning }: Pick<GenerateRequest, 'onText' | 'onReasoning'>,
): Omit<Generation, 'usage' | 'model'> {
  const step = planStep(facts);
  onReasoning?.(step.thought);
  if ('calls' in step) {
    const toolCalls = step.calls.map(({ name, input }, index) => ({
      type: 'tool_call' as const,
      id: `call_${facts.results.length + 1}_${index + 1}`,
      name,
      input,
    }));
    return { text: '', toolCalls, parts: toolCalls, stopReason: 'tool_use' };
  }
  // how a model says at its last step that nothing is missing
  const text = facts.isLast && step.isWhole ? `[complete]\n${step.answer}` : step.answer;
  for (const piece of text.split(/(?<=\n\n)/)) if (piece !== '') onText?.(piece);
  return { text, toolCalls: [], parts: [{ type: 'text', text }], stopReason: 'end_turn' };
}
