import type { TurnStatus } from '../contract/turn.ts';
import { eventStatements, type FollowedTables } from './followed.ts';

export const TURN_TABLES = {
  owners: 'turns',
  events: 'turn_events',
  key: 'turn_number',
  keyType: 'int',
  prefix: 'turn',
} as const satisfies FollowedTables;

export const { insertEvents, selectEvents, selectChanged } = eventStatements<number, TurnStatus>(TURN_TABLES);
