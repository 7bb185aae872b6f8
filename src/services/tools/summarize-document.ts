import { z } from 'zod';
import { summariseDocument } from '../../copilot/summarise-document.ts';
import { type PhaseUsage, usageFigures, withCall } from '../../copilot/usage.ts';
import type { Database } from '../../db/database.ts';
import { findDocumentSummary, saveDocumentSummary } from '../../db/document-summaries.ts';
import { selectParents } from '../../db/parents.ts';
import { addUsage } from '../../db/usage.ts';
import { AppError } from '../../errors.ts';
import { type LanguageModel, ModelError, type OnUsage } from '../../llm/model.ts';
import type { Scope } from '../../scope.ts';
import { requireFile } from '../file-lookup.ts';
import { inSources } from './in-sources.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  filename: z.string().min(1).max(2_000).describe('As list_project_files gives it.'),
});

export interface SummarizeDocumentDeps {
  db: Database;
  /** The small model. */
  summaryModel: LanguageModel;
  log: { warn(details: object, message: string): void };
}

/** Collects calls, and adds them to the project's usage at once. */
function booking({ db, log }: SummarizeDocumentDeps, scope: Scope) {
  const byModel = new Map<string, PhaseUsage>();
  return {
    onUsage: ((usage, model) => {
      byModel.set(model, withCall(byModel.get(model), model, usage));
    }) satisfies OnUsage,
    /** Never rejects: what was paid for is given, whether or not it can be booked. */
    async book(): Promise<void> {
      try {
        for (const [model, used] of byModel) {
          const { calls } = used;
          await addUsage(db, scope, { phase: 'document_summary', model, calls, ...usageFigures(used) });
        }
      } catch (err) {
        log.warn({ err, ...scope }, 'the usage of a document summary could not be booked');
      }
    },
  };
}

const failed = (cause: ModelError): AppError =>
  new AppError(cause.advice === undefined ? 'model_unavailable' : 'provider_misconfigured', {
    detail:
      cause.advice ??
      'The language model that summarises could not be reached. Search in the document instead.',
    cause,
  });

/** A summary of one document as a whole, of any size; kept for its version. */
export function summarizeDocument(deps: SummarizeDocumentDeps): Tool<typeof input> {
  const { db, summaryModel: model } = deps;
  return {
    name: 'summarize_document',
    kind: 'project',
    spends: true,
    description:
      'Summarises one document of the project as a whole, whatever its size. For what a document is about or says overall. Not for a single fact, a figure or a quotation: a summary cannot be cited, so search_in_document is better for these.',
    input,
    async run({ filename }, { scope, sources, signal, onUsage, onProgress, mayCall }) {
      const { file, fileId, home } = await inSources({ scope, sources }, async (home) => ({
        ...(await requireFile(db, home, filename)),
        home,
      }));
      const version = file.searchable_version;
      if (version === null) {
        const detail = file.last_error?.message ?? `Its status is ${file.status}.`;
        return { lines: [`"${file.name}" cannot be summarised. ${detail}`], passages: [] };
      }
      const key = { fileId, version, model: model.id };
      const kept = await findDocumentSummary(db, home, key);
      if (kept !== null) return { lines: linesOf(file.name, version, kept), passages: [] };
      const parents = await selectParents(db, home, file.name);
      const booked = booking(deps, scope);
      const document = {
        filename: file.name,
        sections: parents.map(({ breadcrumb, text, tokens }) => ({ breadcrumb, text, tokens })),
      };
      try {
        const summary = await summariseDocument(model, document, {
          signal,
          onUsage: onUsage ?? booked.onUsage,
          onProgress: onProgress ?? (() => undefined),
          mayCall,
        });
        await saveDocumentSummary(db, home, key, summary);
        return { lines: linesOf(file.name, version, summary), passages: [] };
      } catch (error) {
        if (error instanceof ModelError && !signal.aborted) throw failed(error);
        throw error;
      } finally {
        await booked.book();
      }
    },
  };
}

const linesOf = (filename: string, version: number, summary: string): string[] => [
  `Summary of ${filename}, version ${version}:`,
  ...summary.split('\n').filter((line) => line.trim() !== ''),
];
