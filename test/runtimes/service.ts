import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brokenStream, openLine } from '../clients/line.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp } from '../helpers/app.ts';

/** Streams that break before one holds. */
const BREAKS = 2;

/** Settled when the signal is given, by its reason. */
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));

/**
 * A service for the scenario, over a line that breaks its first streams. What is to take its time is never answered to the end.
 *
 * @param settings of the service, beside those of tests
 */
export async function startScenarioService(settings: Record<string, string> = {}) {
  const forge = await startTestApp({
    settings,
    overrides: {
      answerModel: {
        ...fakeLanguageModel(() => ({ text: 'unused' })),
        async generate(request) {
          if (JSON.stringify(request.messages.at(-1)).includes('Take your time.')) {
            request.onText?.('Well. ');
            return untilAborted(request.signal);
          }
          return fakeLanguageModel(() => ({ text: 'Dana Reyes signs it.' })).generate(request);
        },
      },
      smallModel: fakeLanguageModel(() => ({ text: routeReply() })),
    },
  });
  const line = await openLine(await forge.app.listen({ host: '127.0.0.1', port: 0 }));
  line.breaks(BREAKS, brokenStream);
  return {
    url: line.url,
    /** What was asked of the line, in order. */
    asked: line.asked,
    async close() {
      await line.close();
      await forge.close();
    },
  };
}

/** An address of this machine at which nothing listens. */
export async function addressOfNothing(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}

/** Compiles the client as it is published. */
export function compileClient(folder: string): void {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript', '--outDir', folder];
  const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the client does not compile:\n${stdout}`);
}
