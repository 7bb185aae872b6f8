import Anthropic from '@anthropic-ai/sdk';
import { expect, it, vi } from 'vitest';
import { claudeModel } from '../../src/llm/models.ts';
import { retirementNotice, retirementOf } from '../../src/llm/retirement.ts';

const NAMES = [
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-sonnet-4-6',
  'claude-sonnet-4-5',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5',
];

/** The day that the SDK prints of a model at each call, as `2026-11-30`; null for one of which it prints nothing. */
function dayOfSdk(model: string): string | null {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const fetch = () => Promise.reject(new Error('nothing is sent'));
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch,
  });
  client.messages.create({ model, max_tokens: 1, messages: [], stream: true }).catch(() => undefined);
  const printed = warn.mock.calls.flat().join(' ');
  warn.mockRestore();
  const [, month, day, year] = /end-of-life on (\w+) (\d+)\w*, (\d+)/.exec(printed) ?? [];
  return month ? new Date(`${month} ${day}, ${year} UTC`).toISOString().slice(0, 10) : null;
}

it.each(NAMES)('knows of %s what the SDK does: the day is announced, or there is none', (name) => {
  const retirement = retirementOf(name);
  expect(claudeModel(name)).toBeDefined();
  expect(retirement?.announced ? retirement.date : null).toBe(dayOfSdk(name));
});

it('knows nothing of a model that is not in the table', () => {
  expect(retirementOf('a-model-of-tomorrow')).toBeNull();
});

it.each([
  ['2026-11-30', true, 'is switched off on 2026-11-30'],
  ['2026-11-22', true, 'was switched off on 2026-11-22'],
  ['2027-09-28', false, 'is not switched off before 2027-09-28'],
  ['2026-10-15', false, 'can be switched off any day since 2026-10-15'],
])('says of %s (announced: %s) that it %s', (date, announced, notice) => {
  expect(retirementNotice({ date, announced }, '2026-11-22')).toBe(notice);
});
