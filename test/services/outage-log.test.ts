import { expect, it } from 'vitest';
import { createOutageLog } from '../../src/services/outage-log.ts';

it('tells of each outage once, and once that it is over', () => {
  const lines: string[] = [];
  const note = (level: string) => (details: object, message: string) =>
    lines.push(`${level}: ${message} ${JSON.stringify(details)}`);
  const outage = createOutageLog({ info: note('info'), warn: note('warn') }, 'the look');
  outage.succeeded();
  for (let failures = 0; failures < 50; failures++) outage.failed('gone');
  outage.succeeded();
  outage.succeeded();
  outage.failed('gone again');
  expect(lines).toEqual([
    'warn: the look fails, and is tried again until it succeeds {"err":"gone"}',
    'info: the look succeeds again {"failures":50}',
    'warn: the look fails, and is tried again until it succeeds {"err":"gone again"}',
  ]);
});
