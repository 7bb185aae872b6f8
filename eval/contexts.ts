import { readConfig } from '../src/config.ts';
import { askContexts } from '../src/copilot/contexts/ask.ts';
import { estimateContexts } from '../src/copilot/contexts/estimate.ts';
import {
  type ContextPlan,
  type DocumentPart,
  type LeafToPlace,
  planContexts,
} from '../src/copilot/contexts/plan.ts';
import { partPrefix } from '../src/copilot/contexts/prompt.ts';
import type { LanguageModel } from '../src/llm/model.ts';
import { createLanguageModel } from '../src/providers.ts';
import { openTraffic } from '../src/recording/open-traffic.ts';
import { countTokens } from '../src/text/tokens.ts';
import type { StoredDocument } from '../test/helpers/stored-document.ts';
import { UsageError } from './usage-error.ts';

/** Contexts that a model writes on the leaves of evaluation sets, as the service has them written (`CONTEXTUAL=on`). */
export interface EvalContexts {
  /** The model, as results name it. */
  name: string;
  /**
   * @param set the name of what they are for
   * @returns the contexts by the ids of the leaves; a leaf of which the model says nothing has none
   * @throws UsageError when they would cost more than they may
   */
  write(set: string, documents: readonly StoredDocument[]): Promise<Map<string, string>>;
}

/** Calls at the same time, each for another document. */
const AT_ONCE = 4;

interface Plan extends ContextPlan {
  document: StoredDocument;
}

/** The leaves of a document in their order, counted where the set does not say how many tokens they have. */
const leavesOf = ({ leaves }: StoredDocument): LeafToPlace[] =>
  leaves.map((leaf) => ({ ...leaf, tokens: leaf.tokens || countTokens(leaf.text), isWanted: true }));

/** The text of a part: the sets have no other than that of their leaves. */
const textOf = ({ leaves }: StoredDocument, { charStart, charEnd }: DocumentPart): string =>
  leaves
    .filter((leaf) => leaf.charStart >= charStart && leaf.charEnd <= charEnd)
    .map(({ text }) => text)
    .join('\n\n');

/**
 * @param terms.partTokens the most tokens of a part of a document that a call reads
 * @param terms.mostUsd what one set may cost at list prices
 */
export function createEvalContexts(
  model: LanguageModel,
  { partTokens, mostUsd, say }: { partTokens: number; mostUsd: number; say: (line: string) => void },
): EvalContexts {
  const signal = new AbortController().signal;

  async function writePart(
    { document, outline }: Plan,
    part: DocumentPart,
    contexts: Map<string, string>,
  ): Promise<void> {
    const prefix = partPrefix(document.filename, part, { text: textOf(document, part), outline });
    const texts = new Map(document.leaves.map((leaf) => [leaf.contentHash, leaf.text]));
    for (const call of part.calls) {
      const passages = call.map(({ contentHash }, index) => ({
        number: index + 1,
        text: texts.get(contentHash) ?? '',
      }));
      const asked = { prefix, isShared: part.calls.length > 1, passages };
      const written = await askContexts(model, asked, { signal, onUsage: () => undefined });
      for (const [number, context] of written) contexts.set(call[number - 1]?.contentHash ?? '', context);
    }
  }

  async function writeDocument(plan: Plan): Promise<[string, string][]> {
    const byContent = new Map<string, string>();
    for (const part of plan.parts) await writePart(plan, part, byContent);
    return plan.document.leaves.flatMap(({ id, contentHash }) => {
      const context = byContent.get(contentHash);
      return context === undefined ? [] : [[id, context] as [string, string]];
    });
  }

  return {
    name: `${model.provider}/${model.id}`,
    async write(set, documents) {
      const plans = documents.map((document) => ({
        document,
        ...planContexts(leavesOf(document), partTokens),
      }));
      const { leaves, calls, cost_usd: usd } = estimateContexts(model, plans);
      const price = usd === null ? 'at a price that is not known here' : `for some $${usd.toFixed(2)}`;
      say(`  ${set}: contexts of ${leaves} leaves in ${calls} calls of ${model.id}, ${price}`);
      if (usd !== null && usd > mostUsd) {
        throw new UsageError(
          `The contexts of ${set} would cost some $${usd.toFixed(2)}: --max-usd ${Math.ceil(usd)} allows it.`,
        );
      }
      const queue = plans.values();
      const contexts = new Map<string, string>();
      const worker = async (): Promise<void> => {
        for (const plan of queue) {
          for (const [id, context] of await writeDocument(plan)) contexts.set(id, context);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return contexts;
    },
  };
}

/** Settings that name the model, and where its answers are recorded or replayed from. */
const OF_MODELS =
  /^(LLM_|ANTHROPIC_|OPENAI_|TURN_SUMMARY_MODEL|SUMMARY_EFFORT|CONTEXTUAL_|FORGE_RECORD|FORGE_REPLAY|MODEL_TIMEOUT)/;

/**
 * The small model of the settings, as `CONTEXTUAL=on` would ask it. With `FORGE_RECORD` what it answers is kept, and with `FORGE_REPLAY` it
 * is not asked again.
 *
 * @throws UsageError when the settings name no model that can write
 */
export async function openEvalContexts(mostUsd: number): Promise<EvalContexts> {
  const given = Object.entries(process.env).filter(([name]) => OF_MODELS.test(name));
  const config = readConfig({ ...Object.fromEntries(given), EMBEDDING_PROVIDER: 'off' });
  if (config.languageModelProvider === 'offline') {
    throw new UsageError(
      'The offline model writes no contexts: name another one (ANTHROPIC_API_KEY, or LLM_PROVIDER=openai with its settings).',
    );
  }
  const { FORGE_RECORD: record, FORGE_REPLAY: replay, CONTEXTUAL_DOCUMENT_TOKENS: partTokens } = config;
  const say = (line: string): void => console.error(line);
  const traffic = await openTraffic(
    { record, replay },
    { warn: (_, line) => say(line), error: (_, line) => say(line) },
  );
  const model = createLanguageModel(config, 'summary', traffic);
  return createEvalContexts(model, { partTokens, mostUsd, say });
}
