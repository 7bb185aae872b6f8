import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/contract/state.ts';
import { AppError } from '../../src/errors.ts';
import { readState } from '../../src/state/read.ts';

describe('readState', () => {
  it('reads what was stored', () => {
    const state = emptyState();
    state.org_context = 'A bank';
    expect(readState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it('brings an older document to the present version, step by step', () => {
    const { schema_version: _, org_context: __, ...rest } = emptyState();
    const old = { ...rest, schema_version: -1, company: 'A bank' };
    const migrations = {
      [-1]: ({ company, ...others }: Record<string, unknown>) => ({ ...others, organisation: company }),
      0: ({ organisation, ...others }: Record<string, unknown>) => ({ ...others, org_context: organisation }),
    };
    expect(readState(old, migrations)).toEqual({ ...emptyState(), org_context: 'A bank' });
  });

  it.each([
    ['nothing', null, 'not an object'],
    ['a list', [], 'not an object'],
    ['no version', { ...emptyState(), schema_version: undefined }, 'no schema_version'],
    ['a newer version', { ...emptyState(), schema_version: 99 }, 'newer than this program'],
    ['a version without a migration', { ...emptyState(), schema_version: 0 }, 'no migration from version 0'],
    ['a damaged document', { ...emptyState(), assumptions: 'none' }, 'assumptions'],
    ['an unknown member', { ...emptyState(), mood: 'good' }, 'mood'],
  ])('refuses %s and says why in the cause', (_what, json, reason) => {
    let caught: unknown;
    try {
      readState(json);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(AppError);
    expect((caught as AppError).code).toBe('internal_error');
    expect(String((caught as AppError).cause)).toContain(reason);
  });
});
