import { expect, it } from 'vitest';
import { listen } from '../src/listen.ts';

/** What is said where the system refuses to listen. */
const said = (code: string): Promise<unknown> =>
  listen(
    { listen: () => Promise.reject(Object.assign(new Error(`listen ${code}`), { code })) },
    { HOST: '127.0.0.1', PORT: 3000 },
  ).catch((error: Error) => error.message);

it.each([
  ['EADDRINUSE', 'port 3000 of 127.0.0.1 is in use by another process. Stop it, or set PORT'],
  ['EACCES', 'may not listen on port 3000. Set PORT to one from 1024 on'],
  ['EADDRNOTAVAIL', 'this machine has no address 127.0.0.1. Set HOST'],
  ['ENOTFOUND', 'there is no host 127.0.0.1. Set HOST'],
])('says of %s what to do', async (code, advice) => {
  expect(await said(code)).toContain(advice);
});

it('says what any other failure says', async () => {
  expect(await said('EWHAT')).toBe('listen EWHAT');
});
