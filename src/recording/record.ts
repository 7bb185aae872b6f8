import { mkdir, readdir } from 'node:fs/promises';
import { noAnswer, toRecordedAnswer } from './answer.ts';
import { type Ending, parseFileName, type RecordedAnswer, writeRecording } from './recording.ts';
import { keyOf, type RecordedRequest, readRequest } from './request.ts';
import type { CallKind, Traffic, TrafficLog } from './traffic.ts';

/** What is kept at most. A batch of a thousand vectors is some 20 MB as text. */
const LIMITS = { bytes: 64 * 1024 * 1024, calls: 10_000 };

/**
 * Sends requests on and keeps each with its answer as a file of `folder`, without headers, so without keys. What goes
 * wrong with that never disturbs the call.
 *
 * @param limits bytes of one answer, and calls in the folder: what is beyond them is not kept, and the log says so
 */
export async function openRecorder(folder: string, log: TrafficLog, limits = LIMITS): Promise<Traffic> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const known = (await readdir(folder)).flatMap((name) => parseFileName(name) ?? []);
  const numbers = new Map<string, number>();
  for (const { key, number } of known) numbers.set(key, Math.max(number, numbers.get(key) ?? 0));
  let calls = known.length;
  const writing = new Set<Promise<void>>();
  log.warn({ folder }, 'every call to a provider is recorded, with the messages and documents that it holds');

  /** Takes the request's number at once, so that repeated ones keep their order; the answer follows. */
  function begin(kind: CallKind, request: RecordedRequest): (answer: RecordedAnswer) => void {
    const key = keyOf(kind, request);
    const number = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, number);
    return (answer) => {
      calls += 1;
      if (calls > limits.calls)
        return log.error({ folder, ...kind }, 'the folder is full: a call is not recorded');
      const recording = { ...kind, recorded_at: new Date().toISOString(), request, answer };
      const written = writeRecording(folder, { phase: kind.phase, key, number }, recording)
        .catch((err: unknown) => log.error({ err, ...kind }, 'a call could not be recorded'))
        .finally(() => writing.delete(written));
      writing.add(written);
    };
  }

  return {
    fetchFor: (kind) => async (input, init) => {
      const keep = begin(kind, readRequest(input, init));
      const isGivenUp = (): boolean => init?.signal?.aborted ?? false;
      const response = await fetch(input, init).catch((error: unknown) => {
        keep(noAnswer(isGivenUp() ? 'given_up' : 'no_connection'));
        throw error;
      });
      return overheard(response, limits.bytes, isGivenUp, (text, ending) => {
        if (text === null) log.error({ folder, ...kind }, 'an answer is too long: the call is not recorded');
        else keep(toRecordedAnswer(response, text, ending));
      });
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}

/** The answer, which is listened to as it is read; `onEnd` has its text, or null for one that is longer than `most` bytes. */
function overheard(
  response: Response,
  most: number,
  isGivenUp: () => boolean,
  onEnd: (text: string | null, ending: Ending) => void,
): Response {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const end = (ending: Ending): void =>
    onEnd(length > most ? null : Buffer.concat(chunks).toString('utf8'), ending);
  if (!reader) {
    end('complete');
    return response;
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end('complete');
            return controller.close();
          }
          length += value.length;
          if (length <= most) chunks.push(value);
          controller.enqueue(value);
        } catch (error) {
          end(isGivenUp() ? 'given_up' : 'broken');
          controller.error(error);
        }
      },
      cancel(reason) {
        end('given_up');
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
