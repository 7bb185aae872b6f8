import type { Command } from 'commander';
import { type KeyUse, selectKeyUse } from '../../db/original-keys.ts';
import { createOriginals } from '../../services/originals/originals.ts';
import { rotateOriginals } from '../../services/originals/rotate.ts';
import { resealSecrets } from '../../services/webhooks/reseal.ts';
import { createSecretStore } from '../../services/webhooks/secrets.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase } from '../database.ts';
import { table } from '../output.ts';

/** `forge encryption`: of originals and secrets of webhooks at rest, on the database itself. */
export function encryptionCommands(program: Command, terminal: Terminal): void {
  const encryption = program
    .command('encryption')
    .description('Encryption of originals and of the secrets of webhooks, on the database');

  encryption
    .command('status', { isDefault: true })
    .description('How much is encrypted with which key')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db, { ENCRYPTION_KEYS: ring }) => {
        const stateOf = ({ keyId }: KeyUse): string => {
          if (keyId === ring.active) return 'current';
          return keyId === null || ring.keys.has(keyId) ? 'to be rotated' : 'key is missing';
        };
        const use = (await selectKeyUse(db)).map((each) => ({ ...each, state: stateOf(each) }));
        if (out.isJson) return out.json({ object: 'list', data: use });
        if (use.length === 0) return out.line('There is nothing to encrypt.');
        const rows = use.map((each) => [
          each.keyId ?? '(none)',
          each.originals,
          each.bytes,
          each.secrets,
          each.state,
        ]);
        out.line(table([['key', 'originals', 'bytes', 'webhook secrets', 'state'], ...rows], out.width));
      });
    });

  encryption
    .command('rotate')
    .description('Encrypt everything with the first key now; the service does so by itself within the hour')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db, { ENCRYPTION_KEYS: ring }) => {
        const rotated = await rotateOriginals(db, createOriginals(ring));
        const webhooks = await resealSecrets(db, createSecretStore(ring));
        if (out.isJson) return out.json({ object: 'rotation', key: ring.active, rotated, webhooks });
        out.line(
          `${rotated} originals and the secrets of ${webhooks} webhooks are stored anew, ${ring.active === null ? 'not encrypted' : `with the key ${ring.active}`}`,
        );
      });
    });
}
