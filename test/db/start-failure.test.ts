import { expect, it } from 'vitest';
import { startFailure } from '../../src/db/start-failure.ts';
import { DatabaseError } from '../../src/errors.ts';

const failure = (code: string, message: string) =>
  new DatabaseError('unavailable', Object.assign(new Error(message), { code }), false);

it.each([
  [
    'ECONNREFUSED',
    '',
    'the database does not answer. Start it, or correct host and port in DATABASE_URL (ECONNREFUSED)',
  ],
  ['28P01', 'password authentication failed', 'Correct user and password in DATABASE_URL'],
  ['3D000', 'database "forge" does not exist', 'Create it, or correct its name in DATABASE_URL'],
  ['0A000', 'extension "vector" is not available', 'the database has no pgvector'],
  ['53100', 'its disk has 0 MB left', 'Make room, or set DATA_DIR'],
])('says of %s what to do', (code, message, advice) => {
  expect(startFailure(failure(code, message))).toContain(advice);
});

it('says what any other failure says', () => {
  expect(startFailure(new Error('HOST: not a host'))).toBe('HOST: not a host');
});
