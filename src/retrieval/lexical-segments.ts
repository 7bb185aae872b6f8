import type { SegmentPostings } from '../db/segments.ts';
import { PostingsReader } from '../text/packed-postings.ts';
import { addContext, maxContextFactor } from './context-scores.ts';
import { addList, type FileSums, type Scoring } from './lexical-scores.ts';
import type { KnownSegment } from './segment-files.ts';
import { TopScores } from './top-scores.ts';

/** The sums of one segment's leaves and files. */
interface SegmentSums {
  own: Float64Array;
  whole: Float64Array;
  /** The highest sum of a leaf of each file. */
  peaks: Float64Array;
}

// One segment after the other is summed up in the same place: arrays of a million numbers for each query are much for the
// collector to clear away.
let room: SegmentSums = { own: new Float64Array(0), whole: new Float64Array(0), peaks: new Float64Array(0) };

function clearRoom({ leafCount, ids }: KnownSegment): SegmentSums {
  const isEnough = room.own.length >= leafCount && room.whole.length >= ids.length;
  if (!isEnough) {
    const files = Math.max(ids.length, room.whole.length);
    room = {
      own: new Float64Array(Math.max(leafCount, room.own.length)),
      whole: new Float64Array(files),
      peaks: new Float64Array(files),
    };
  }
  room.own.fill(0, 0, leafCount);
  room.whole.fill(0, 0, ids.length);
  room.peaks.fill(0, 0, ids.length);
  return room;
}

function sumUp(scoring: Scoring, lists: readonly SegmentPostings[], segment: KnownSegment): SegmentSums {
  const { starts, leaves, lengths } = segment;
  const { own, whole, peaks } = clearRoom(segment);
  for (const { term, packed } of lists) {
    const weights = scoring.weights(term);
    const reader = new PostingsReader(packed);
    const place = { own, start: 0, leaves: 0, length: 0, peak: 0 };
    while (!reader.isAtEnd) {
      const file = reader.readShort();
      const count = reader.readShort();
      place.start = starts[file] ?? 0;
      place.leaves = leaves[file] ?? 0;
      place.length = lengths[file] ?? 0;
      place.peak = peaks[file] ?? 0;
      whole[file] = (whole[file] ?? 0) + addList(scoring, weights, reader, count, place);
      peaks[file] = place.peak;
    }
  }
  return { own, whole, peaks };
}

/** A file that may have some of the best leaves. */
export interface LikelyFile extends FileSums {
  /** The segment that the sums are of, and which of the file's indexings that has; null: the present one. */
  from: { segmentId: string; revision: number } | null;
}

/** What is looked through for the best leaves. */
export interface LikelyQuery {
  /** Of the segments, and the segments themselves. */
  lists: readonly SegmentPostings[];
  segments: ReadonlyMap<string, KnownSegment>;
  /** Files outside of them that have any of the terms, summed up by these. */
  outside: ReadonlyMap<string, FileSums>;
  /** Whether a file is outside of them: what a segment has of it does not count. */
  isOutside: (fileId: string) => boolean;
  /** Ids of files; null: all. */
  wanted: ReadonlySet<string> | null;
  /** Leaves whose files are given. */
  most: number;
}

/**
 * The files that have the best leaves by the postings that were read, with what their leaves come to. Of those that are no longer as a
 * segment has them, the ones are passed over that are known (`findGone`).
 *
 * @returns `leaves`: that were found; `more`: there are others
 */
export function likelyFiles(
  scoring: Scoring,
  { lists, segments, outside, isOutside, wanted, most }: LikelyQuery,
): { files: LikelyFile[]; leaves: number; more: boolean } {
  const { fileShare, tuning } = scoring;
  const { neighbourShare } = tuning;
  const top = new TopScores(most);
  let found = 0;
  const likely = new Map<string, LikelyFile>();
  const keyOf = (segment: number, file: number): string => `${segment} ${file}`;

  for (const [at, [segmentId, of]] of [...bySegment(lists)].entries()) {
    const segment = segments.get(segmentId);
    if (!segment) continue;
    const sums = sumUp(scoring, of, segment);
    found += addToTop(top, scoring, segment, sums, at, (id) => isOutside(id) || wanted?.has(id) === false);
    for (const file of top.secondsOf(at)) likely.set(keyOf(at, file), fileOf(segmentId, segment, sums, file));
  }
  for (const [file, sums] of [...outside.values()].entries()) {
    addContext(sums.own, { score: sums.whole, share: fileShare }, neighbourShare).forEach((score) => {
      found += Number(score > 0);
      top.add(score, OUTSIDE, file);
    });
    likely.set(keyOf(OUTSIDE, file), { ...sums, from: null });
  }
  const files = new Map<string, LikelyFile>();
  for (const [at, place] of top.places()) {
    const file = likely.get(keyOf(at, place));
    // two segments have a file for a moment, when one takes the place of the other
    if (file && !files.has(file.fileId)) files.set(file.fileId, file);
  }
  return { files: [...files.values()], leaves: Math.min(found, most), more: found > most };
}

/** Stands for a segment. */
const OUTSIDE = -1;

function bySegment(lists: readonly SegmentPostings[]): Map<string, SegmentPostings[]> {
  const groups = new Map<string, SegmentPostings[]>();
  for (const list of lists) {
    const group = groups.get(list.segmentId);
    if (group) group.push(list);
    else groups.set(list.segmentId, [list]);
  }
  return groups;
}

/**
 * Adds the leaves of a segment to the highest scores. A file whose best leaf cannot come among them, whatever its context, is passed over.
 *
 * @returns how many leaves have words of the query; one for each file that was passed over
 */
function addToTop(
  top: TopScores,
  { fileShare, tuning: { neighbourShare } }: Scoring,
  { starts, leaves, ids, isGone }: KnownSegment,
  { own, whole, peaks }: SegmentSums,
  at: number,
  isLeftOut: (fileId: string) => boolean,
): number {
  const leafShare = 1 - fileShare;
  const mostOfPeak = leafShare * maxContextFactor(neighbourShare);
  let found = 0;
  for (const [file, start] of starts.entries()) {
    const score = whole[file] ?? 0;
    if (score === 0 || isGone[file] || isLeftOut(ids[file] ?? '')) continue;
    const ofFile = fileShare * score;
    if (ofFile + mostOfPeak * (peaks[file] ?? 0) <= top.least) {
      found += 1;
      continue;
    }
    const end = start + (leaves[file] ?? 0);
    // what addContext does, without an array for each of the many files
    let before = 0;
    let here = own[start] ?? 0;
    for (let leaf = start; leaf < end; leaf++) {
      const after = leaf + 1 < end ? (own[leaf + 1] ?? 0) : 0;
      if (here > 0) {
        found += 1;
        const inContext = ofFile + leafShare * (here + neighbourShare * (before + after));
        if (inContext > top.least) top.add(inContext, at, file);
      }
      before = here;
      here = after;
    }
  }
  return found;
}

function fileOf(
  segmentId: string,
  { ids, starts, leaves, revisions }: KnownSegment,
  { own, whole }: SegmentSums,
  file: number,
): LikelyFile {
  const start = starts[file] ?? 0;
  return {
    fileId: ids[file] ?? '',
    version: 0,
    own: own.slice(start, start + (leaves[file] ?? 0)),
    whole: whole[file] ?? 0,
    from: { segmentId, revision: revisions[file] ?? 0 },
  };
}
