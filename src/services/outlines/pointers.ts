import { hash } from 'node:crypto';
import type { Pointer } from '../../contract/pointer.ts';
import { readMarkdown } from '../../db/file-versions.ts';
import { findLeaf } from '../../db/leaves.ts';
import { type OutlinedFile, readOutlineWithNode } from '../../db/outlines.ts';
import type { Outline, OutlineNode } from '../../documents/outline/outline.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { readWithin } from '../../text/read-within.ts';
import type { OutlineServiceDeps } from './outlines.ts';
import { outlinePointer, type PointerTarget, parsePointer, versionId } from './pointer-id.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, standingOf } from './standing.ts';
import { byId, headerPathOf, nearestSurviving } from './surviving.ts';

/** A stretch of a version that a pointer leads to. */
interface Stretch {
  headerPath: string[];
  text: string;
  start: number;
  end: number;
  tokenEstimate: number;
}

const notFound = (pointerId: string): AppError =>
  new AppError('pointer_not_found', {
    detail: `"${pointerId}" is no pointer of this project. Outlines and section searches give pointers.`,
  });

/** Reads on at an offset into a stretch, which must still be the same text. */
function offsetIn(text: string, continuation: string | null): number {
  if (continuation === null) return 0;
  const [offset, tag] = continuation.split('.');
  const at = Number(offset);
  if (tag === textTag(text) && Number.isInteger(at) && at >= 0 && at < text.length) return at;
  throw new AppError('invalid_cursor', {
    detail:
      'The text has changed since it was begun to be read, or this is no continuation. Read it from the start.',
  });
}

const textTag = (text: string): string => hash('sha256', text).slice(0, 12);

/** The use case of a pointer: from its id to the text that it names. */
export function createPointerReader({ db, stored, telemetry }: OutlineServiceDeps) {
  async function sectionOf(
    scope: Scope,
    file: OutlinedFile,
    { version, outline }: { version: number; outline: Outline },
    nodeId: string,
  ): Promise<Stretch | null> {
    const nodes = byId(outline.nodes);
    const node = nodes.get(nodeId);
    const markdown = node && (await readMarkdown(db, scope, file.fileId, version));
    if (!node || typeof markdown !== 'string') return null;
    const { charStart: start, charEnd: end, tokenEstimate } = node;
    return {
      headerPath: headerPathOf(nodes, node),
      text: markdown.slice(start, end),
      start,
      end,
      tokenEstimate,
    };
  }

  async function chunkOf(scope: Scope, file: OutlinedFile, leafId: string): Promise<Stretch | null> {
    const leaf = await findLeaf(db, scope, file.fileId, leafId);
    if (!leaf) return null;
    const { headerPath, text, charStart: start, charEnd: end, tokens: tokenEstimate } = leaf;
    return { headerPath, text, start, end, tokenEstimate };
  }

  /** The heading to go on from when what a pointer named is gone. */
  async function nearestTo(
    scope: Scope,
    file: OutlinedFile,
    { version, outline }: { version: number; outline: Outline },
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
    async hydrate(
      scope: Scope,
      pointerId: string,
      { maxTokens, continuation }: { maxTokens: number; continuation: string | null },
    ): Promise<Pointer> {
      const target: PointerTarget | null = parsePointer(pointerId.normalize('NFC'));
      if (!target) throw notFound(pointerId);
      const file = await requireOutlinedFile(db, scope, target.filename);
      const { state, version, detail } = standingOf(file);
      const isComing = file.status === 'queued' || file.status === 'in_progress';
      const answer: Pointer = {
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
      if (version === null) return answer;
      const outline = await stored.load(scope, file, version);
      if (!outline && target.kind === 'outline') {
        return {
          ...answer,
          state: 'pending',
          is_stale: false,
          detail: 'The outline is being made again.',
          retry_after_ms: RETRY_AFTER_MS,
        };
      }
      const read = outline && { version, outline };
      const stretch =
        target.kind === 'chunk'
          ? await chunkOf(scope, file, target.leafId)
          : read && (await sectionOf(scope, file, read, target.nodeId));
      if (!stretch) {
        const { nearest, isKnown } =
          read && target.nodeId !== null
            ? await nearestTo(scope, file, read, target.nodeId)
            : { nearest: null, isKnown: target.kind === 'chunk' };
        if (!isKnown) throw notFound(pointerId);
        const gone = `What this pointer named is not in version ${version} of "${file.name}" as it was.`;
        return { ...answer, state: 'gone', is_stale: false, detail: gone, retry_after_ms: null, nearest };
      }
      const from = offsetIn(stretch.text, continuation);
      const { end, tokens } = readWithin(stretch.text, { start: from, end: stretch.text.length }, maxTokens);
      telemetry.add('tokensSaved', Math.max(0, file.tokenEstimate - tokens));
      // a later part of a table has its header row repeated in front of it: its text is longer than its range
      const isSlice = stretch.text.length === stretch.end - stretch.start;
      const whole = { start: stretch.start, end: stretch.end };
      return {
        ...answer,
        header_path: stretch.headerPath,
        text: stretch.text.slice(from, end),
        char_range: isSlice ? { start: stretch.start + from, end: stretch.start + end } : whole,
        section_range: whole,
        tokens,
        token_estimate: stretch.tokenEstimate,
        continuation: end < stretch.text.length ? `${end}.${textTag(stretch.text)}` : null,
      };
    },
  };
}
