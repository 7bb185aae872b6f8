import type { Pointer } from '../../contract/pointer.ts';
import { type OutlinedFile, readOutlineWithNode } from '../../db/outlines.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import { AppError } from '../../errors.ts';
import { nameOf, type Scope } from '../../scope.ts';
import { readWithin } from '../../text/read-within.ts';
import { continuationAt, offsetOf } from './continuation.ts';
import type { OutlineServiceDeps } from './outlines.ts';
import { outlinePointer, parsePointer, versionId } from './pointer-id.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, standingOf } from './standing.ts';
import { chunkStretch, type OutlinedVersion, type Stretch, sectionStretch } from './stretch.ts';
import { byId, headerPathOf, nearestSurviving } from './surviving.ts';

/** How much to read, and from where. */
interface Reading {
  maxTokens: number;
  continuation: string | null;
}

const notFound = (scope: Scope, pointerId: string): AppError =>
  new AppError('pointer_not_found', {
    detail: `"${pointerId}" is no pointer of ${nameOf(scope)}. Outlines and section searches give pointers.`,
  });

/** What is said of a pointer before anything was read. */
function unread(pointerId: string, file: OutlinedFile): Pointer {
  const { state, version, detail } = standingOf(file);
  const isComing = file.status === 'queued' || file.status === 'in_progress';
  return {
    object: 'pointer',
    pointer_id: pointerId,
    state,
    is_stale: state === 'stale',
    detail,
    retry_after_ms: isComing ? RETRY_AFTER_MS : null,
    filename: file.name,
    version,
    version_id: version === null ? null : versionId(file.fileId, version),
    header_path: [],
    text: '',
    char_range: null,
    section_range: null,
    tokens: 0,
    token_estimate: 0,
    continuation: null,
    nearest: null,
  };
}

/** The outline that the pointer needs is not there yet. */
const pending = (answer: Pointer): Pointer => ({
  ...answer,
  state: 'pending',
  is_stale: false,
  detail: 'The outline is being made again.',
  retry_after_ms: RETRY_AFTER_MS,
});

const gone = (answer: Pointer, nearest: Pointer['nearest']): Pointer => ({
  ...answer,
  state: 'gone',
  is_stale: false,
  detail: `What this pointer named is not in version ${answer.version} of "${answer.filename}" as it was.`,
  retry_after_ms: null,
  nearest,
});

/**
 * The part of a stretch that was asked for.
 *
 * @throws AppError `invalid_cursor`
 */
function readPart(answer: Pointer, { text, ...stretch }: Stretch, reading: Reading): Pointer {
  const from = offsetOf(reading.continuation, text);
  const { end, tokens } = readWithin(text, { start: from, end: text.length }, reading.maxTokens);
  const whole = { start: stretch.start, end: stretch.end };
  // a later part of a table has its header row repeated in front of it: its text is longer than its range
  const isSlice = text.length === stretch.end - stretch.start;
  return {
    ...answer,
    header_path: stretch.headerPath,
    text: text.slice(from, end),
    char_range: isSlice ? { start: stretch.start + from, end: stretch.start + end } : whole,
    section_range: whole,
    tokens,
    token_estimate: stretch.tokenEstimate,
    continuation: continuationAt(text, end),
  };
}

/** The use case of a pointer: from its id to the text that it names. */
export function createPointerReader({ db, stored, telemetry }: OutlineServiceDeps) {
  /** The heading to go on from when what a pointer named is gone; whether any version had it. */
  async function nearestTo(
    scope: Scope,
    file: OutlinedFile,
    { version, outline }: OutlinedVersion,
    nodeId: string,
  ): Promise<{ nearest: Pointer['nearest']; isKnown: boolean }> {
    const before = await readOutlineWithNode(db, scope, file.fileId, version, nodeId);
    const nodes = byId(outline.nodes);
    const near: OutlineNode | null = nodes.get(nodeId) ?? nearestSurviving(nodeId, before, outline.nodes);
    return {
      isKnown: before !== null || near !== null,
      nearest: near && {
        pointer_id: outlinePointer(file.name, near.id),
        text: near.text,
        level: near.level,
        header_path: headerPathOf(nodes, near),
      },
    };
  }

  return {
    /**
     * The text that a pointer names, at most `maxTokens` of it. A section or a chunk that a later version still has
     * unchanged is read from that version; one that is changed or not there any more is `gone`, with the nearest heading
     * that is left. While a newer version is being read the pointer leads into the one before and says `stale`.
     *
     * @throws AppError `project_not_found`, `file_not_found`, `pointer_not_found`, `invalid_cursor`
     */
    async hydrate(scope: Scope, pointerId: string, reading: Reading): Promise<Pointer> {
      const target = parsePointer(pointerId.normalize('NFC'));
      if (!target) throw notFound(scope, pointerId);
      const file = await requireOutlinedFile(db, scope, target.filename);
      const answer = unread(pointerId, file);
      const { version } = answer;
      if (version === null) return answer;
      const outline = await stored.load(scope, file, version);
      if (!outline && target.kind === 'outline') return pending(answer);
      const read = outline && { version, outline };
      const stretch =
        target.kind === 'chunk'
          ? await chunkStretch(db, scope, file, target.leafId)
          : read && (await sectionStretch(db, scope, file, read, target.nodeId));
      if (stretch) {
        const part = readPart(answer, stretch, reading);
        telemetry.add('tokensSaved', Math.max(0, file.tokenEstimate - part.tokens));
        return part;
      }
      const { nearest, isKnown } =
        read && target.nodeId !== null
          ? await nearestTo(scope, file, read, target.nodeId)
          : { nearest: null, isKnown: target.kind === 'chunk' };
      if (!isKnown) throw notFound(scope, pointerId);
      return gone(answer, nearest);
    },
  };
}
