import { readdir } from 'node:fs/promises';
import { replayed } from './answer.ts';
import { missingResponse } from './missing.ts';
import { nearestTo } from './nearest.ts';
import { parseFileName, type RecordingName, readRecording } from './recording.ts';
import { keyOf, type RecordedRequest, readRequest } from './request.ts';
import type { CallKind, Traffic, TrafficLog } from './traffic.ts';

/**
 * Answers requests from the files of `folder`, without a network. A request that was recorded several times gets its
 * answers in their order, and the last one from then on. One that was not recorded is refused with what is nearest to it.
 *
 * @throws Error when nothing is recorded there
 */
export async function openReplay(folder: string, log: TrafficLog): Promise<Traffic> {
  const names = (await readdir(folder).catch(() => [])).flatMap((name) => parseFileName(name) ?? []);
  if (names.length === 0) throw new Error(`FORGE_REPLAY: there are no recorded calls in ${folder}`);
  const answers = new Map<string, RecordingName[]>();
  for (const name of names.sort((a, b) => a.number - b.number)) {
    answers.set(name.key, [...(answers.get(name.key) ?? []), name]);
  }
  log.warn({ folder, calls: names.length }, 'providers are not called: recorded answers stand for them');

  /** The next answer's file; the last one stays. */
  function next(key: string): RecordingName | undefined {
    const left = answers.get(key);
    return left && left.length > 1 ? left.shift() : left?.[0];
  }

  return {
    fetchFor: (kind) => async (input, init) => {
      init?.signal?.throwIfAborted();
      const request = readRequest(input, init);
      const name = next(keyOf(kind, request));
      const recording = name && (await readRecording(folder, name).catch((error: Error) => error.message));
      if (typeof recording === 'object') return replayed(recording.answer, init?.signal);
      const message = recording ?? (await missingMessage(folder, names, kind, request));
      log.error(kind, message);
      return missingResponse(message);
    },
    close: async () => undefined,
  };
}

async function missingMessage(
  folder: string,
  names: readonly RecordingName[],
  { provider, phase }: CallKind,
  request: RecordedRequest,
): Promise<string> {
  const what = `FORGE_REPLAY: this call of ${provider} (${phase}) is not recorded in ${folder}.`;
  const ofPhase = names.filter((name) => name.phase === phase);
  const nearest = await nearestTo(request, folder, ofPhase);
  if (!nearest) {
    return `${what} No call of this kind is: replay with the settings of the session that was recorded.`;
  }
  const { file, differsAt } = nearest;
  return `${what} The nearest is ${file}, which differs first at ${differsAt}: replay with the version, settings, documents and messages of the session that was recorded.`;
}
