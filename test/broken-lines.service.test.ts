import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** A process that survives broken lines and throws an error that nobody catches. */
function throwing(properties: object) {
  const script = `
    import { surviveBrokenLines } from './src/broken-lines.ts';
    surviveBrokenLines({ error: (_, message) => console.log(message) });
    setTimeout(() => console.log('still here'), 1);
    setImmediate(() => { throw Object.assign(new Error('x'), ${JSON.stringify(properties)}); });`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  return { status, said: stdout.trim().split('\n') };
}

it('goes on when a connection breaks that nobody listens to', () => {
  expect(throwing({ code: 'ECONNRESET', syscall: 'write' })).toEqual({
    status: 0,
    said: expect.arrayContaining(['a connection broke that nobody listened to', 'still here']),
  });
});

it.each([
  ['any other failure', {}],
  ['a server that cannot be reached', { code: 'ECONNREFUSED', syscall: 'connect' }],
])('ends with %s', (_, properties) => {
  const { status, said } = throwing(properties);
  expect(status).not.toBe(0);
  expect(said).not.toContain('a connection broke that nobody listened to');
});
