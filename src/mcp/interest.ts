import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { libraryScope } from '../scope.ts';
import type { FoundStamps, LookedAt } from '../services/resource-stamps.ts';
import type { McpConnection } from './connection.ts';
import type { ResourceName } from './resource-uri.ts';

/** Subscriptions of one connection, at most. */
const MOST_SUBSCRIPTIONS = 200;

/** Where changes are told. */
export interface Told {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
}

/** What is to be looked at, and how to tell of what was found of it. */
export interface Wants extends LookedAt {
  /** Tells of what is no longer as it was told before. */
  tell(found: FoundStamps, told: Told): Promise<void>;
}

const stampedBy = ({ scope, ...name }: ResourceName) => ({
  ...scope,
  file: name.kind === 'artifact' ? null : name.file,
});

/**
 * What one connection wants to be told of, and what it was told last: a change that happens while it does not listen is told
 * when it listens again.
 */
export function createInterest({ services, principal: { workspaceId }, project }: McpConnection) {
  const { resourceStamps: stamps } = services;
  const subscribed = new Map<string, { resource: ReturnType<typeof stampedBy>; stamp: string | null }>();
  /** Null as long as the list was not asked for. */
  let list: { stamp: string } | null = null;
  const all = { workspaceId, projectId: project, libraryId: libraryScope(workspaceId).projectId };

  return {
    /** The client has a list from now on: it is told when that changes. */
    async wantList(): Promise<void> {
      list ??= { stamp: (await stamps.look({ resources: [], lists: [all] })).ofList(all) };
    },

    /** @throws McpError where there are too many */
    async subscribe(uri: string, name: ResourceName): Promise<void> {
      if (!subscribed.has(uri) && subscribed.size >= MOST_SUBSCRIPTIONS) {
        const detail = `There are ${MOST_SUBSCRIPTIONS} subscriptions already. End one with resources/unsubscribe.`;
        throw new McpError(ErrorCode.InvalidParams, detail);
      }
      const resource = stampedBy(name);
      const found = await stamps.look({ resources: [resource], lists: [] });
      subscribed.set(uri, { resource, stamp: found.of(resource) });
    },

    unsubscribe(uri: string): void {
      subscribed.delete(uri);
    },

    /** What there is to look at now. */
    wants(): Wants {
      const looked = [...subscribed];
      const lookedList = list;
      return {
        resources: looked.map(([, { resource }]) => resource),
        lists: lookedList ? [all] : [],
        async tell(found, { updated, listChanged }) {
          for (const [uri, entry] of looked) {
            const stamp = found.of(entry.resource);
            if (stamp === entry.stamp) continue;
            entry.stamp = stamp;
            if (subscribed.has(uri)) await updated(uri);
          }
          if (!lookedList) return;
          const stamp = found.ofList(all);
          if (stamp === lookedList.stamp) return;
          lookedList.stamp = stamp;
          await listChanged();
        },
      };
    },
  };
}

export type Interest = ReturnType<typeof createInterest>;
