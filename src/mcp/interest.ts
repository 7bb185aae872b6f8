import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { McpConnection } from './connection.ts';
import type { ResourceName } from './resource-uri.ts';

/** Subscriptions of one connection, at most. */
const MOST_SUBSCRIPTIONS = 200;

/** Where changes are told. */
export interface Told {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
}

const stampedBy = (name: ResourceName) => ({
  projectId: name.scope.projectId,
  file: name.kind === 'artifact' ? null : name.file,
});

/**
 * What one connection wants to be told of, and what it was told last: a change that happens while it does not listen is told
 * when it listens again.
 */
export function createInterest({ services, principal: { workspaceId }, project }: McpConnection) {
  const { resourceStamps: stamps } = services;
  const subscribed = new Map<string, { name: ResourceName; stamp: string | null }>();
  /** Null as long as the list was not asked for. */
  let list: { stamp: string } | null = null;
  const listStamp = () => stamps.listStamp(workspaceId, project);

  return {
    /** Whether there is anything to look at. */
    isAny: (): boolean => subscribed.size > 0 || list !== null,

    /** The client has a list from now on: it is told when that changes. */
    async wantList(): Promise<void> {
      list ??= { stamp: await listStamp() };
    },

    /** @throws McpError where there are too many */
    async subscribe(uri: string, name: ResourceName): Promise<void> {
      if (!subscribed.has(uri) && subscribed.size >= MOST_SUBSCRIPTIONS) {
        const detail = `There are ${MOST_SUBSCRIPTIONS} subscriptions already. End one with resources/unsubscribe.`;
        throw new McpError(ErrorCode.InvalidParams, detail);
      }
      const [stamp = null] = await stamps.stamps(workspaceId, [stampedBy(name)]);
      subscribed.set(uri, { name, stamp });
    },

    unsubscribe(uri: string): void {
      subscribed.delete(uri);
    },

    /** Looks whether anything has changed since it was looked at last, and tells of it. */
    async look({ updated, listChanged }: Told): Promise<void> {
      const looked = [...subscribed];
      if (looked.length > 0) {
        const wanted = looked.map(([, { name }]) => stampedBy(name));
        const found = await stamps.stamps(workspaceId, wanted);
        for (const [index, [uri, entry]] of looked.entries()) {
          const stamp = found[index] ?? null;
          if (stamp === entry.stamp) continue;
          entry.stamp = stamp;
          if (subscribed.has(uri)) await updated(uri);
        }
      }
      if (!list) return;
      const stamp = await listStamp();
      if (stamp === list.stamp) return;
      list.stamp = stamp;
      await listChanged();
    },
  };
}

export type Interest = ReturnType<typeof createInterest>;
