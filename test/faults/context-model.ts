import { setTimeout as delay } from 'node:timers/promises';
import { startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';
import { blocksOf, isAsking, passagesOf, placed } from '../helpers/context-requests.ts';

/** What a call takes, so that it can be caught under way. */
const REPLY_MS = 80;

/** A call for contexts: the sections that its passages are of. */
interface Asked {
  file: string;
  sections: string[];
}

/** What a round waits for: so many calls have come, so many were answered, or a leaf is embedded with its context. */
export type Moment = 'asked' | 'answered' | 'embedded';

const sectionOf = (text: string): string => /# (Quay \d+)/.exec(text)?.[1] ?? text;

/** A model that writes contexts and an encoder, on the loopback interface, and what each was asked: which is what they charge for. */
export async function startContextModel() {
  const calls: Asked[] = [];
  const embedded: string[] = [];
  const counts: Record<string, number> = {};
  const waiting: { key: string; count: number; reached: () => void }[] = [];

  function note(moment: Moment, file: string): void {
    const key = `${moment} ${file}`;
    const count = (counts[key] ?? 0) + 1;
    counts[key] = count;
    for (const one of waiting) if (one.key === key && count >= one.count) one.reached();
  }

  const anthropic = await startFakeAnthropic({
    reply: async (request) => {
      if (!isAsking(request)) return { text: 'A summary.' };
      const file = /<document source="([^"]+)"/.exec(blocksOf(request).prefix?.text ?? '')?.[1] ?? '';
      calls.push({ file, sections: passagesOf(request).map(({ text }) => sectionOf(text)) });
      note('asked', file);
      await delay(REPLY_MS);
      // when it has been sent
      setImmediate(() => note('answered', file));
      return placed(request);
    },
  });
  const voyage = await startFakeVoyage({
    script: ({ input }) => {
      const withContext = input.filter((text) => text.includes('Of the archipelago guide'));
      embedded.push(...withContext);
      const file = /\[Source: ([^\s\]>]+)/.exec(withContext[0] ?? '')?.[1];
      if (file !== undefined) note('embedded', file);
      return { kind: 'ok' };
    },
  });

  return {
    settings: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: anthropic.url,
      VOYAGE_API_KEY: 'test-key',
      VOYAGE_BASE_URL: voyage.url,
    },
    /** The calls for a file, in their order. */
    callsFor: (file: string): Asked[] => calls.filter((call) => call.file === file),
    /** The texts of a file that were embedded with their contexts, as often as they were. */
    embeddedOf: (file: string): string[] => embedded.filter((text) => text.includes(`[Source: ${file}`)),
    /** Resolves when something has happened to a file for the time numbered `count`, from 1. */
    until: (moment: Moment, file: string, count: number): Promise<void> =>
      new Promise((reached) => {
        const key = `${moment} ${file}`;
        if ((counts[key] ?? 0) >= count) reached();
        else waiting.push({ key, count, reached });
      }),
    async close(): Promise<void> {
      await anthropic.close();
      await voyage.close();
    },
  };
}

export type ContextModel = Awaited<ReturnType<typeof startContextModel>>;
