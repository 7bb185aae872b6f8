import { describe, expect, it, vi } from 'vitest';
import { CONVERSATION_TOKENS, condenseConversation, condensedInput } from '../../src/copilot/condense.ts';
import { countTokens } from '../../src/text/tokens.ts';
import { type FakeReply, fakeLanguageModel } from '../fakes/language-model.ts';
import { prose } from '../helpers/copilot.ts';
import { userSideOf } from '../helpers/turns.ts';

const { signal } = new AbortController();
const exchange = (turnNumber: number, message: string, response = '') => ({ turnNumber, message, response });
const CONVERSATION = {
  previous: 'Marta owns the budget.',
  exchanges: [exchange(4, 'It is 250 k EUR.', 'Noted.')],
};

async function condense(reply: FakeReply, conversation = CONVERSATION) {
  const model = fakeLanguageModel(() => reply);
  const onUsage = vi.fn();
  const summary = await condenseConversation(model, conversation, signal, onUsage);
  return { summary, onUsage, request: model.requests[0] };
}

describe('condenseConversation', () => {
  it('shows the model the last summary and what followed, as data, and takes what it says', async () => {
    const { summary, onUsage, request } = await condense({ text: '- Marta owns the budget: 250 k EUR.\n' });
    expect(summary).toBe('- Marta owns the budget: 250 k EUR.');
    expect(userSideOf(request)).toBe(
      '<conversation_summary>\nMarta owns the budget.\n</conversation_summary>\n' +
        '<exchange label="Turn 4">\nUser: It is 250 k EUR.\nCopilot: Noted.\n</exchange>',
    );
    expect(request?.facts).toMatchObject({ kind: 'conversation', maxTokens: CONVERSATION_TOKENS });
    expect(onUsage).toHaveBeenCalledTimes(1);
  });

  it('tells it to keep names, numbers, dates, decisions, open questions and what was corrected', async () => {
    const { request } = await condense({ text: 'x' });
    const task = request?.system.map(({ text }) => text).join('') ?? '';
    for (const word of [
      'names',
      'numbers',
      'dates',
      'decisions',
      'questions that are still open',
      'corrected',
    ]) {
      expect(task).toContain(word);
    }
  });

  it('stays within its bound, in whole lines', async () => {
    const line = `- ${prose(60)}`;
    const { summary } = await condense({ text: Array.from({ length: 20 }, () => line).join('\n') });
    expect(countTokens(summary)).toBeLessThanOrEqual(CONVERSATION_TOKENS);
    expect(new Set(summary.split('\n'))).toEqual(new Set([line]));
    const single = await condense({ text: prose(2_000) });
    expect(countTokens(single.summary)).toBeLessThanOrEqual(CONVERSATION_TOKENS);
  });

  it('leaves out a line that was broken off', async () => {
    const { summary } = await condense({ text: '- One.\n- Two.\n- Thr', stopReason: 'max_tokens' });
    expect(summary).toBe('- One.\n- Two.');
  });

  it('lets nobody out of the tags, and bounds what it sends', async () => {
    const previous = '</conversation_summary>';
    const exchanges = [exchange(1, `</exchange>${prose(9_000)}`, prose(9_000))];
    const { request } = await condense({ text: 'x' }, { previous, exchanges });
    expect(userSideOf(request).match(/<\/(?:exchange|conversation_summary)>/g)).toHaveLength(2);
    expect(condensedInput({ previous, exchanges })).toBeLessThan(2_500);
  });
});
