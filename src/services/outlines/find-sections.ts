import type { SectionPointer, Sections } from '../../contract/sections.ts';
import type { Database } from '../../db/database.ts';
import { type StoredLeafText, selectLeavesAt } from '../../db/leaves.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import { type Candidate, rankLeaves } from '../../retrieval/candidates.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import { sectionConfidence } from '../../retrieval/section-confidence.ts';
import type { Scope } from '../../scope.ts';
import { storableJson, storableText } from '../../text/storable.ts';
import { analyseQuery } from '../../text/terms.ts';
import type { OutlineServiceDeps } from './outlines.ts';
import { chunkPointer, outlinePointer, versionId } from './pointer-id.ts';
import { previewOf } from './preview.ts';
import { type SectionPart, sectionIn, termShare } from './section-parts.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, standingOf } from './standing.ts';
import { byId, headerPathOf } from './surviving.ts';

/** A section of more than this is not read in one go: the pointer names the chunk then. */
const WHOLE_SECTION_TOKENS = 2_000;
/** Leaves looked at for each section wanted, and at least. */
const LEAVES_PER_SECTION = 6;
const MIN_DEPTH = 48;
/** The same where only some sections of the document are wanted: most of the leaves may be outside them. */
const NARROWED_DEPTH = 1_000;
/** Read at a time for each section wanted, best first, until there are enough. */
const LEAVES_READ_PER_SECTION = 3;

export interface SectionQuery {
  query: string;
  topK: number;
  /** 0 to 1: sections that are less likely an answer are left out. */
  minConfidence: number;
  /** Headings that the section stands under, outermost first. */
  headerPath: string[];
}

export interface FindSectionsDeps extends OutlineServiceDeps {
  db: Database;
  queryEmbedder: QueryEmbedder;
}

/** The use case of a question to one document: which of its sections to read. */
export function createSectionFinder({ db, stored, telemetry, queryEmbedder }: FindSectionsDeps) {
  function pointerTo(
    filename: string,
    leaf: StoredLeafText,
    part: SectionPart | null,
    nodes: ReadonlyMap<string, OutlineNode>,
    { score, terms }: { score: number; terms: ReadonlySet<string> },
  ): SectionPointer {
    const node = part?.node ?? null;
    const isWhole = node !== null && node.tokenEstimate <= WHOLE_SECTION_TOKENS;
    return {
      chunk_id: leaf.leafId,
      pointer_id: isWhole
        ? outlinePointer(filename, node.id)
        : chunkPointer(filename, node?.id ?? null, leaf.leafId),
      score: Math.round(score * 1_000) / 1_000,
      preview: previewOf(part?.text ?? leaf.text, terms),
      token_estimate: isWhole ? node.tokenEstimate : leaf.tokens,
      page: leaf.page,
      outline_context: node && {
        node_id: node.id,
        pointer_id: outlinePointer(filename, node.id),
        level: node.level,
        text: node.text,
        header_path: headerPathOf(nodes, node),
        token_estimate: node.tokenEstimate,
      },
    };
  }

  return {
    /**
     * The sections of one document that bear on a query, best first, each once, as pointers: what to read, not the text.
     * Ranked by words and meaning; without an embedding by words and headings alone (`fallback`).
     *
     * @throws AppError `project_not_found`, `file_not_found`
     */
    async findSections(
      scope: Scope,
      name: string,
      request: SectionQuery,
      signal?: AbortSignal,
    ): Promise<Sections> {
      const startedAt = performance.now();
      const query = storableText(request.query);
      const embedding = queryEmbedder.embed(query, signal);
      embedding.catch(() => undefined); // awaited below, unless the file is not there
      const file = await requireOutlinedFile(db, scope, name);
      const standing = standingOf(file);
      const isComing = file.status === 'queued' || file.status === 'in_progress';
      const answer: Sections = {
        object: 'sections',
        filename: file.name,
        state: standing.state,
        is_stale: standing.state === 'stale',
        detail: standing.detail,
        retry_after_ms: isComing && standing.state !== 'ready' ? RETRY_AFTER_MS : null,
        version: standing.version,
        version_id: standing.version === null ? null : versionId(file.fileId, standing.version),
        latency_ms: 0,
        strategy: 'none',
        pointers: [],
      };
      const done = (rest: Partial<Sections>): Sections => ({
        ...answer,
        ...rest,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      });
      const { version } = standing;
      if (version === null) return done({});
      if (standing.state === 'stale') telemetry.add('staleHits');

      const terms = new Set(analyseQuery(query).keys());
      const headerPath = storableJson(request.headerPath);
      const outline = await stored.load(scope, file, version);
      const nodes = byId(outline?.nodes ?? []);
      // a leaf made of several small sections has their common header path only: the outline knows each
      const isUnder = (node: OutlineNode): boolean => {
        const path = headerPathOf(nodes, node);
        return headerPath.every((heading, index) => path[index] === heading);
      };
      const wanted =
        headerPath.length === 0 ? (outline?.nodes ?? []) : (outline?.nodes ?? []).filter(isUnder);
      const isNarrowed = outline !== null && headerPath.length > 0;
      const filters = { filenames: [file.name], headerPath: outline ? [] : headerPath, mediaTypes: [] };
      const { candidates, ceiling } = await rankLeaves(
        db,
        scope,
        { text: query, vector: embedding, denseWeight: queryEmbedder.denseWeight, byWords: true, filters },
        isNarrowed ? NARROWED_DEPTH : Math.max(MIN_DEPTH, LEAVES_PER_SECTION * request.topK),
      );
      const vector = await embedding;
      if (vector === null) telemetry.add('providerErrors');
      const ranked = [...candidates.values()].filter((hit) => hit.version === version);
      const read = (hits: readonly Candidate[]) =>
        selectLeavesAt(
          db,
          scope,
          { fileId: file.fileId, version },
          hits.map(({ leafIndex }) => leafIndex),
        );
      const headed = vector ? null : await read(ranked);
      const likely = ranked
        .map((hit) => ({
          hit,
          score: sectionConfidence({
            cosine: vector && (hit.denseScore ?? 0),
            wordShare: (hit.lexicalScore ?? 0) / ceiling,
            headingShare: termShare(terms, headed?.get(hit.leafIndex)?.headerPath.join(' ') ?? ''),
          }),
        }))
        .filter(({ score }) => score >= request.minConfidence)
        .sort((a, b) => b.score - a.score);
      const found = new Map<string, SectionPointer>();
      const step = LEAVES_READ_PER_SECTION * request.topK;
      for (let from = 0; from < likely.length && found.size < request.topK; from += step) {
        const some = likely.slice(from, from + step);
        const leaves = await read(some.map(({ hit }) => hit));
        for (const { hit, score } of some) {
          const leaf = leaves.get(hit.leafIndex);
          const part = leaf && sectionIn(leaf, wanted, terms);
          if (!leaf || found.size === request.topK || (isNarrowed && !part)) continue;
          const pointer = pointerTo(file.name, leaf, part ?? null, nodes, { score, terms });
          // a section is worth what its best leaf is
          if (!found.has(pointer.pointer_id)) found.set(pointer.pointer_id, pointer);
        }
      }
      const pointers = [...found.values()];
      if (vector !== null) return done({ strategy: 'hybrid', pointers });
      return done({
        strategy: 'fallback',
        state: pointers.length > 0 ? 'offline_fallback' : 'offline_no_results',
        detail: 'The query could not be embedded: sections were found by words and headings alone.',
        pointers,
      });
    },
  };
}
