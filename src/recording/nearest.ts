import { fileName, type RecordingName, readRecording } from './recording.ts';
import { canonical, type RecordedRequest } from './request.ts';

export interface Nearest {
  file: string;
  /** JSON pointer to the first member of the body that differs. */
  differsAt: string;
}

/** So many recordings are looked at, at most. */
const MOST_COMPARED = 500;

/** The recorded request that has most lines in common with one that was not recorded; null when there is none. */
export async function nearestTo(
  request: RecordedRequest,
  folder: string,
  names: readonly RecordingName[],
): Promise<Nearest | null> {
  const wanted = canonical(request.body);
  const lines = linesOf(wanted);
  let best: { share: number; nearest: Nearest } | null = null;
  for (const name of names.slice(0, MOST_COMPARED)) {
    const recording = await readRecording(folder, name).catch(() => null);
    if (!recording) continue;
    const body = canonical(recording.request.body);
    const share = shareOf(lines, linesOf(body));
    if (best && best.share >= share) continue;
    const differsAt = firstDifference(wanted, body) ?? '';
    best = { share, nearest: { file: fileName(name), differsAt } };
  }
  return best?.nearest ?? null;
}

/** Also the lines within its texts. */
const linesOf = (body: unknown): string[] => JSON.stringify(body, null, 1).split(/\n|\\n/);

/** Of two lists, the lines that both have, to all there are. */
function shareOf(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    common += 1;
  }
  return common / Math.max(a.length, b.length);
}

/** As a JSON pointer; null for values that are the same. */
export function firstDifference(a: unknown, b: unknown, pointer = ''): string | null {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? null : pointer;
  }
  const [first, second] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const name of new Set([...first.keys(), ...second.keys()])) {
    const found = firstDifference(first.get(name), second.get(name), `${pointer}/${name}`);
    if (found !== null) return found;
  }
  return null;
}
