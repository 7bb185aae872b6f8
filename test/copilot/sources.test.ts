import { expect, it } from 'vitest';
import { sourcesOf } from '../../src/copilot/sources.ts';
import { parseChange } from '../../src/state/changes.ts';
import { passage } from '../helpers/copilot.ts';

const SHOWN = ['a', 'b', 'c'].map((id, at) => ({ marker: at + 1, passage: passage(id, id), spans: [] }));
const register = (more: object) =>
  parseChange('register_assumption', { statement: 'S', confidence: 'informed', impact: 'low', ...more });
const names = (change: Parameters<typeof sourcesOf>[0]) =>
  sourcesOf(change, SHOWN).map(({ filename }) => filename);

it('takes the files that the call names, by number or in its evidence, and no other', () => {
  expect(names(register({}))).toEqual([]);
  expect(names(register({ evidence: ['The user said so.'] }))).toEqual([]);
  expect(names(register({ cites: [2, 9] }))).toEqual(['b.md']);
  expect(names(register({ evidence: ['See c.md, page 2', 'A survey [1]'] }))).toEqual(['a.md', 'c.md']);
  expect(
    names(parseChange('update_skeleton', { field: 'problem_statement', value: 'P', cites: [3] })),
  ).toEqual(['c.md']);
  expect(names(parseChange('complete_probe', { probe: 'stakeholder-mapping' }))).toEqual([]);
});

it('takes no file of the library', () => {
  const shown = [{ marker: 1, passage: passage('a', 'a', { source: 'library' }), spans: [] }];
  expect(sourcesOf(register({ cites: [1], evidence: ['See a.md'] }), shown)).toEqual([]);
});
