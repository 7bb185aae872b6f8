import type { Sections } from '../../contract/sections.ts';
import type { Database } from '../../db/database.ts';
import type { OutlinedFile } from '../../db/outlines.ts';
import type { OnQuerySpent } from '../../retrieval/query-spending.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import type { Scope } from '../../scope.ts';
import { termsAsked } from '../../text/asked-terms.ts';
import { storableJson, storableText } from '../../text/storable.ts';
import type { QueryUsage } from '../query-usage.ts';
import { askedPart } from './asked-part.ts';
import { likelyLeaves } from './likely-leaves.ts';
import type { OutlineServiceDeps } from './outlines.ts';
import { versionId } from './pointer-id.ts';
import { sectionsOfLeaves } from './sections-of-leaves.ts';
import { RETRY_AFTER_MS, requireOutlinedFile, type Standing, standingOf } from './standing.ts';

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
  queryUsage: QueryUsage;
}

/** What is said of a file before anything was looked for in it. */
function unanswered(file: OutlinedFile, { version, state, detail }: Standing): Sections {
  const isComing = file.status === 'queued' || file.status === 'in_progress';
  return {
    object: 'sections',
    filename: file.name,
    state,
    is_stale: state === 'stale',
    detail,
    retry_after_ms: isComing && state !== 'ready' ? RETRY_AFTER_MS : null,
    version,
    version_id: version === null ? null : versionId(file.fileId, version),
    latency_ms: 0,
    strategy: 'none',
    pointers: [],
  };
}

/** The use case of a question to one document: which of its sections to read. */
export function createSectionFinder({ db, stored, telemetry, queryEmbedder, queryUsage }: FindSectionsDeps) {
  return {
    /**
     * The sections of one document that bear on a query, best first, each once, as pointers: what to read, not the text.
     * Ranked by words and meaning; without an embedding by words and headings alone (`fallback`).
     *
     * @param onSpent told of the embedding's call in place of the project's accounts
     * @throws AppError `project_not_found`, `file_not_found`
     */
    async findSections(
      scope: Scope,
      name: string,
      { query, topK, minConfidence, headerPath }: SectionQuery,
      signal?: AbortSignal,
      onSpent: OnQuerySpent = (spent) => queryUsage.add(scope, spent),
    ): Promise<Sections> {
      const startedAt = performance.now();
      const text = storableText(query);
      const vector = queryEmbedder.embed(text, signal, onSpent);
      vector.catch(() => undefined); // awaited below, unless the file is not there
      const file = await requireOutlinedFile(db, scope, name);
      const standing = standingOf(file);
      const done = (rest: Partial<Sections>): Sections => ({
        ...unanswered(file, standing),
        ...rest,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      });
      const { version } = standing;
      if (version === null) return done({});
      if (standing.state === 'stale') telemetry.add('staleHits');

      const part = askedPart(await stored.load(scope, file, version), storableJson(headerPath));
      const question = {
        file: { fileId: file.fileId, name: file.name, version },
        text,
        terms: termsAsked(text, file.language),
        vector,
        calibration: queryEmbedder.calibration,
        topK,
        minConfidence,
      };
      const likely = await likelyLeaves(db, scope, question, part);
      const isEmbedded = (await vector) !== null;
      const isOff = queryEmbedder.mode === 'lexical';
      if (!isEmbedded && !isOff) telemetry.add('providerErrors');
      const pointers = await sectionsOfLeaves(db, scope, question, part, likely);
      if (isEmbedded) return done({ strategy: 'hybrid', pointers });
      return done({
        strategy: 'fallback',
        state: pointers.length > 0 ? 'offline_fallback' : 'offline_no_results',
        detail: `${isOff ? 'Embeddings are switched off' : 'The query could not be embedded'}: sections were found by words and headings alone.`,
        pointers,
      });
    },
  };
}
