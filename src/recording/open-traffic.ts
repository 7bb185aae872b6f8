import { openRecorder } from './record.ts';
import { openReplay } from './replay.ts';
import type { Traffic, TrafficLog } from './traffic.ts';

/**
 * What calls go through instead of the network alone; undefined when nothing is to be recorded or replayed.
 *
 * @param settings folders; at most one of them
 * @throws Error when the folder cannot be used
 */
export async function openTraffic(
  { record, replay }: { record: string | undefined; replay: string | undefined },
  log: TrafficLog,
): Promise<Traffic | undefined> {
  if (record !== undefined) return openRecorder(record, log);
  return replay === undefined ? undefined : openReplay(replay, log);
}
