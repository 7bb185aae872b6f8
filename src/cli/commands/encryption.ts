import type { Command } from 'commander';
import { type KeyUse, selectKeyUse } from '../../db/original-keys.ts';
import { createOriginals } from '../../services/originals/originals.ts';
import { rotateOriginals } from '../../services/originals/rotate.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase } from '../database.ts';
import { table } from '../output.ts';

/** `forge encryption`: of originals at rest, on the database itself. */
export function encryptionCommands(program: Command, terminal: Terminal): void {
  const encryption = program.command('encryption').description('Encryption of originals, on the database');

  encryption
    .command('status', { isDefault: true })
    .description('How many originals are encrypted with which key')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db, { ENCRYPTION_KEYS: ring }) => {
        const stateOf = ({ keyId }: KeyUse): string => {
          if (keyId === ring.active) return 'current';
          return keyId === null || ring.keys.has(keyId) ? 'to be rotated' : 'key is missing';
        };
        const use = (await selectKeyUse(db)).map((each) => ({ ...each, state: stateOf(each) }));
        if (out.isJson) return out.json({ object: 'list', data: use });
        if (use.length === 0) return out.line('There are no originals.');
        const rows = use.map((each) => [each.keyId ?? '(none)', each.originals, each.bytes, each.state]);
        out.line(table([['key', 'originals', 'bytes', 'state'], ...rows], out.width));
      });
    });

  encryption
    .command('rotate')
    .description(
      'Encrypt every original with the first key now; the service does so by itself within the hour',
    )
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      await withDatabase(terminal.environment, async (db, { ENCRYPTION_KEYS: ring }) => {
        const rotated = await rotateOriginals(db, createOriginals(ring));
        if (out.isJson) return out.json({ object: 'rotation', key: ring.active, rotated });
        out.line(
          `${rotated} originals are stored anew, ${ring.active === null ? 'not encrypted' : `with the key ${ring.active}`}`,
        );
      });
    });
}
