import { expect, it, vi } from 'vitest';
import { deprecationOf } from '../../src/llm/anthropic-deprecation.ts';

it('tells in one line what the SDK would print of a model that is switched off soon, and prints nothing', () => {
  const warn = vi.spyOn(console, 'warn');
  // the SDK's list changes with its version: one that it no longer names is to be replaced here
  expect(deprecationOf('claude-sonnet-4-5-20250929')).toMatch(
    /^.*claude-sonnet-4-5-20250929.* deprecated .*$/,
  );
  expect(deprecationOf('a-model-of-tomorrow')).toBeNull();
  expect(warn).not.toHaveBeenCalled();
  const { warn: after } = console;
  expect(after).toBe(warn);
  warn.mockRestore();
});
