import { askContexts } from '../../copilot/contexts/ask.ts';
import type { ContextPlan, DocumentPart, LeafToPlace } from '../../copilot/contexts/plan.ts';
import { partPrefix } from '../../copilot/contexts/prompt.ts';
import { usageFigures } from '../../copilot/usage.ts';
import type { Database } from '../../db/database.ts';
import { readMarkdown } from '../../db/file-versions.ts';
import {
  type ContextFile,
  type NewContext,
  saveContexts,
  selectTextsByContent,
} from '../../db/leaf-contexts.ts';
import { holdProject } from '../../db/projects.ts';
import { addUsage } from '../../db/usage.ts';
import type { LanguageModel, OnUsage } from '../../llm/model.ts';
import type { Scope } from '../../scope.ts';
import type { SpendingGuard } from '../limits/spending.ts';
import { FileChanged } from './file-changed.ts';

export interface ContextWriterDeps {
  db: Database;
  summaryModel: LanguageModel;
  spending: Pick<SpendingGuard, 'assertMaySpend'>;
}

/** Calls at the same time, once the first one has come back: a provider's limits are shared with the turns that run. */
const AT_ONCE = 4;

/**
 * Writes the contexts of a part: the first call alone, since what it reads is in the provider's cache only when its reply begins, then
 * the others side by side. What a call gives is stored before the next one is made.
 *
 * @throws FileChanged when what was read is not what is searched any more; ModelError; AppError when no more may be spent
 */
export async function writePart(
  deps: ContextWriterDeps,
  scope: Scope,
  { file, part, outline }: { file: ContextFile; part: DocumentPart; outline: ContextPlan['outline'] },
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const markdown = await readMarkdown(db, scope, file.fileId, file.version);
  if (markdown === null) throw new FileChanged();
  const text = markdown.slice(part.charStart, part.charEnd);
  const prefix = partPrefix(file.name, part, { text, outline });
  const hashes = part.calls.flat().map(({ contentHash }) => contentHash);
  const texts = await selectTextsByContent(db, scope, file.fileId, hashes);
  const writing = { deps, scope, file, prefix, texts, signal, isShared: part.calls.length > 1 };
  const [first = [], ...others] = part.calls;
  await writeCall(writing, first);
  await sideBySide(others, (call) => writeCall(writing, call));
}

interface Writing {
  deps: ContextWriterDeps;
  scope: Scope;
  file: ContextFile;
  prefix: string;
  texts: ReadonlyMap<string, string>;
  signal: AbortSignal;
  isShared: boolean;
}

/** Asks for the contexts of some leaves, and once more for those that the reply leaves out. */
async function writeCall(writing: Writing, leaves: readonly LeafToPlace[]): Promise<void> {
  const found = await ask(writing, leaves);
  await store(writing, found);
  const placed = new Set(found.map(({ contentHash }) => contentHash));
  const left = leaves.filter(({ contentHash }) => !placed.has(contentHash));
  if (left.length === 0) return;
  const again = new Map((await ask(writing, left)).map((one) => [one.contentHash, one.context]));
  await store(
    writing,
    left.map(({ contentHash }) => ({
      contentHash,
      context: again.get(contentHash) ?? null,
      model: writing.deps.summaryModel.id,
    })),
  );
}

async function ask(
  { deps, scope, prefix, texts, signal, isShared }: Writing,
  leaves: readonly LeafToPlace[],
): Promise<NewContext[]> {
  const { db, summaryModel, spending } = deps;
  await spending.assertMaySpend(scope.workspaceId, 'contexts');
  const calls: Parameters<OnUsage>[] = [];
  const passages = leaves.map(({ contentHash }, index) => ({
    number: index + 1,
    text: texts.get(contentHash) ?? '',
  }));
  try {
    const contexts = await askContexts(
      summaryModel,
      { prefix, isShared, passages },
      { signal, onUsage: (...call) => calls.push(call) },
    );
    return leaves.flatMap(({ contentHash }, index) => {
      const context = contexts.get(index + 1);
      return context === undefined ? [] : [{ contentHash, context, model: summaryModel.id }];
    });
  } finally {
    for (const [usage, model] of calls) {
      await addUsage(db, scope, { phase: 'leaf_contexts', model, calls: 1, ...usageFigures(usage) });
    }
  }
}

async function store({ deps, scope, file }: Writing, contexts: readonly NewContext[]): Promise<void> {
  if (contexts.length === 0) return;
  const now = await deps.db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return null;
    return saveContexts(tx, scope, file.fileId, contexts);
  });
  if (now?.version !== file.version || now.name !== file.name) throw new FileChanged();
}

/** Does some things at the same time; after a failure nothing more is begun, and what is under way comes to its end. */
async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
