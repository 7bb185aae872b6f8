import { expect, it } from 'vitest';
import { withoutNearDuplicates } from '../../src/copilot/near-duplicates.ts';
import { passage, prose } from '../helpers/copilot.ts';

const TEXT = prose(200, 'north');
const FILES = [
  { filename: 'old.md', uploaded_at: '2026-01-01T00:00:00Z' },
  { filename: 'new.md', uploaded_at: '2026-02-01T00:00:00Z' },
];
const of = (id: string, text: string, filename: string) => passage(id, text, { filename });
const ids = (passages: Parameters<typeof withoutNearDuplicates>[0]) => {
  const { passages: kept, alsoIn } = withoutNearDuplicates(passages, FILES);
  return [kept.map(({ parent_id }) => parent_id), Object.fromEntries(alsoIn)];
};

it('keeps of two copies the one of the newer file, at the better place, and names the other', () => {
  const other = of('c', prose(200, 'south'), 'c.md');
  const copies = [of('a', `${TEXT} Agreed.`, 'old.md'), other, of('b', TEXT, 'new.md')];
  expect(ids(copies)).toEqual([['b', 'c'], { b: ['old.md'] }]);
  expect(ids(copies.toReversed())).toEqual([['b', 'c'], { b: ['old.md'] }]);
});

it('keeps what differs in a figure, what only contains the other, and repetition within one file', () => {
  expect(ids([of('a', TEXT, 'old.md'), of('b', TEXT.replace('day 3', 'day 33'), 'new.md')])[0]).toEqual([
    'a',
    'b',
  ]);
  const longer = `${TEXT} ${prose(200, 'east')}`;
  expect(ids([of('a', TEXT, 'old.md'), of('b', longer, 'new.md')])[0]).toEqual(['a', 'b']);
  expect(ids([of('a', TEXT, 'old.md'), of('b', TEXT, 'old.md')])[0]).toEqual(['a', 'b']);
});

it('knows copies in scripts without spaces, and short ones', () => {
  const text = '预算由玛尔塔负责，最高可达二十五万欧元，指导委员会将在五月开会。';
  expect(ids([of('a', text, 'old.md'), of('b', text, 'new.md')])[0]).toEqual(['b']);
  expect(ids([of('a', 'Yes.', 'old.md'), of('b', 'No.', 'new.md')])[0]).toEqual(['a', 'b']);
});

it("keeps the project's of a copy in the library, also of the same name", () => {
  const shelved = passage('a', TEXT, { filename: 'old.md', source: 'library' });
  expect(ids([shelved, of('b', TEXT, 'old.md')])).toEqual([['b'], { b: ['old.md (library)'] }]);
  expect(ids([of('b', TEXT, 'old.md'), shelved])).toEqual([['b'], { b: ['old.md (library)'] }]);
});
