import type { Database } from '../../db/database.ts';
import type { Scope } from '../../scope.ts';
import { append, type Channel, createChannel } from './events-channel.ts';
import { createEventWriter } from './events-writer.ts';
import { type FollowedEvent, type FollowedKind, type FollowLog, type Id, keyOf, type Live } from './kind.ts';

const FLUSH_MS = 100;

/** Where the events of what runs here go: followers in this process have them at once, storage soon after. */
export interface EventLog<I extends Id, E extends FollowedEvent> {
  sink(scope: Scope, id: I, event: Live<E>): void;
  /** The channel of what runs here, or whose events are not all stored yet. */
  channel(scope: Scope, id: I): Channel<I, E> | undefined;
  /** Stores everything that is known. */
  flush(): Promise<void>;
}

export function createEventLog<I extends Id, E extends FollowedEvent>(
  kind: FollowedKind<I, E>,
  options: { db: Database; log: FollowLog; flushMs?: number },
): EventLog<I, E> {
  const channels = new Map<string, Channel<I, E>>();
  const writer = createEventWriter({
    kind,
    db: options.db,
    log: options.log,
    flushMs: options.flushMs ?? FLUSH_MS,
    onStored: (channel: Channel<I, E>) => {
      const key = keyOf(channel.scope, channel.id);
      if (channels.get(key) === channel) channels.delete(key);
    },
  });

  return {
    sink(scope, id, event) {
      const key = keyOf(scope, id);
      const attempt = kind.attemptOf(event);
      if (attempt !== null) channels.set(key, createChannel(scope, id, attempt));
      const channel = channels.get(key);
      if (!channel) return;
      append(channel, event, kind.isTerminal);
      writer.touch(channel);
    },
    channel: (scope, id) => channels.get(keyOf(scope, id)),
    flush: () => writer.flush(),
  };
}
