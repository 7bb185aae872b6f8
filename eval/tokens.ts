import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { chunkingSchema } from '../src/contract/chunking.ts';
import { chunkDocument } from '../src/documents/chunking/chunk.ts';
import { countTokens } from '../src/text/tokens.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { evalDir, readGzip, readRows } from './retrieval-data.ts';

/** How a kind of text is counted, against tokenizers; shares of the true count, signed where it is a mean. */
export interface TokenRow {
  kind: string;
  leaves: number;
  tokens: number;
  /** Our counter against o200k, the vocabulary that it has. */
  counter: number;
  /** The token count that a leaf is stored with (a sum over its parts), against o200k on its text: mean, worst. */
  leafMean: number;
  leafWorst: number;
  /** The same against cl100k, another vocabulary: what a count is worth for a model that has another one. */
  otherVocabulary: number;
}

const MOST_CHARS = 400_000;
/** A leaf of a few tokens is off by a large share when it is off by one. */
const LEAST_TOKENS = 50;
const plain = { disallowedSpecial: new Set<string>() };

// written for this: none of the sets is in one of these languages
const CJK = [
  '本报告总结了第三季度的主要发现：企业客户的流失率上升，原因是上线时间过长，平均需要十一周。',
  '安全审查和采购流程在第一份报告之前就造成了延误，因此团队建议把两步合并，并指定一名负责人。',
  '第三四半期の解約率は四・一パーセントに上昇した。導入に十一週間かかることが主な理由である。',
  '請求書の取り込みが失敗すると、利用者は二度試し、問い合わせを送り、一週間以内に離れていく。',
  '기업 고객의 이탈률이 높아진 이유는 도입에 열한 주가 걸리기 때문이며, 보안 검토가 이를 더 늦춘다.',
];

function tableText(): string {
  const rows = Array.from({ length: 1_500 }, (_, n) => {
    const segment = ['Enterprise', 'Mid-market', 'Self-serve', 'Public sector'][n % 4];
    return `| ${segment} | ${(n * 7919) % 100_000} | ${((n * 31) % 1_000) / 10} % | 2025-${String((n % 12) + 1).padStart(2, '0')}-14 | ANL-${1_000 + n} |`;
  });
  return ['| Segment | Accounts | Churn | Since | Ticket |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function cjkText(): string {
  const paragraphs = Array.from({ length: 300 }, (_, n) =>
    [0, 1, 2].map((k) => `${CJK[(n * 3 + k * 2) % CJK.length]}（${n}）`).join(''),
  );
  return `# 概要\n\n${paragraphs.join('\n\n')}\n`;
}

/** The kinds of text that a limit in tokens has to hold for. */
function samples(): Record<string, string> {
  const code = readRows<{ text: string }>('contextual-embeddings', 'corpus.jsonl.gz');
  return {
    prose: readGzip('chunking-eval', 'corpora/wikitexts.md.gz'),
    tables: tableText(),
    code: code.map(({ text }) => `\`\`\`\n${text}\n\`\`\``).join('\n\n'),
    CJK: cjkText(),
  };
}

/** Measures the token counts that sizes and budgets stand on; null where the data is not there. */
export function runTokenEval(): TokenRow[] | null {
  if (
    !existsSync(join(evalDir(), 'chunking-eval')) ||
    !existsSync(join(evalDir(), 'contextual-embeddings'))
  ) {
    return null;
  }
  const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
  return Object.entries(samples()).map(([kind, whole]) => {
    const markdown = whole.slice(0, MOST_CHARS);
    const truth = countO200k(markdown, plain);
    const { leaves } = chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), {
      filename: `${kind}.md`,
      chunking,
    });
    const errors = leaves
      .map(({ text, tokens }) => ({ tokens, truth: countO200k(text, plain) }))
      .filter((leaf) => leaf.truth >= LEAST_TOKENS)
      .map((leaf) => leaf.tokens / leaf.truth - 1);
    const other = leaves.reduce((sum, { text }) => sum + countCl100k(text, plain), 0);
    return {
      kind,
      leaves: leaves.length,
      tokens: truth,
      counter: countTokens(markdown) / truth - 1,
      leafMean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
      leafWorst: errors.reduce((worst, error) => Math.max(worst, Math.abs(error)), 0),
      otherVocabulary: leaves.reduce((sum, { tokens }) => sum + tokens, 0) / other - 1,
    };
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`.padStart(10);

/** A line for each kind of text. */
export function formatTokenEval(rows: readonly TokenRow[]): string {
  return [
    `${'tokens'.padEnd(10)}${'leaves'.padStart(8)}${'tokens'.padStart(10)}${'counter'.padStart(11)}${'leaf mean'.padStart(11)}${'leaf worst'.padStart(11)}${'cl100k'.padStart(11)}`,
    ...rows.map(
      (row) =>
        `${row.kind.padEnd(10)}${String(row.leaves).padStart(8)}${String(row.tokens).padStart(10)} ${percent(row.counter)} ${percent(row.leafMean)} ${percent(row.leafWorst)} ${percent(row.otherVocabulary)}`,
    ),
  ].join('\n');
}
