/** What to do about a failure that keeps the service from starting, by SQLSTATE or the system's name of it. */
const ADVICE: Record<string, string> = {
  ECONNREFUSED: 'the database does not answer. Start it, or correct host and port in DATABASE_URL',
  ENOTFOUND: 'the host of the database is not known. Correct DATABASE_URL',
  EAI_AGAIN: 'the host of the database is not known. Correct DATABASE_URL, or mend the name service',
  ETIMEDOUT: 'the database does not answer. Correct DATABASE_URL, or let the service through to it',
  ENOSPC: 'there is no room left on the disk. Make room, or set DATA_DIR to a folder on another disk',
  EHOSTUNREACH: 'the database cannot be reached. Correct DATABASE_URL, or let the service through to it',
  '28P01': 'the database refuses the password. Correct user and password in DATABASE_URL',
  '28000': 'the database refuses the user. Correct DATABASE_URL, or let the user in (pg_hba.conf)',
  '3D000': 'there is no such database. Create it, or correct its name in DATABASE_URL',
  '57P03': 'the database is still starting, or is shutting down. Start the service again when it is up',
  '53100':
    'there is no room left on the disk of the database. Make room, or set DATA_DIR to a folder on another disk',
  '53300': 'the database takes no more connections. Raise its max_connections, or lower DATABASE_POOL_SIZE',
  '25006': 'the database is read-only, as a standby is. Let DATABASE_URL name the primary',
};

const NO_VECTOR =
  'the database has no pgvector. Install the extension on its server, and let the user create it or create it for the database: create extension vector';

/** Why the service cannot start and what to do, in one sentence or two. */
export function startFailure(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const said = typeof message === 'string' && message !== '' ? message : String(code ?? error);
  if (/extension "?vector"?|vector\.control/.test(said)) return `${NO_VECTOR} (${said})`;
  const advice = typeof code === 'string' ? ADVICE[code] : undefined;
  return advice === undefined ? said : `${advice} (${said})`;
}
