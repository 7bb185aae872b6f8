import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type { EncoderLayout } from './folder-layout.ts';

/**
 * Characters of a text that are looked at for each token that is read: no piece of a sensible text is longer, and a megabyte
 * without a space would else be cut into pieces of which nearly all are thrown away.
 */
const CHARS_PER_TOKEN = 32;
const PADDINGS = ['[PAD]', '<pad>', '<|endoftext|>'];
/** Halves of characters, which other implementations of tokenizers cannot even be given. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Texts to tokens, as the encoder was trained on them. */
export interface TokenReader {
  /** The tokens of a text with those that go around it; as many as are read at most, the last one kept. */
  read(text: string): number[];
  /** The same of two texts, and which of them a token belongs to: 0 or 1. Of the second as much is read as there is room for. */
  readPair(first: string, second: string): { tokens: number[]; types: number[] };
  padTokenId: number;
}

/** The tokenizer of an encoder's folder. Throws an `Error` for one that cannot be understood. */
export async function loadTokens(
  layout: Pick<EncoderLayout, 'folder' | 'tokenizerFile' | 'maxTokens' | 'padTokenId'>,
): Promise<TokenReader> {
  const json = await readJson(join(layout.folder, layout.tokenizerFile));
  const configPath = join(layout.folder, 'tokenizer_config.json');
  const tokenizer = new Tokenizer(json, existsSync(configPath) ? await readJson(configPath) : {});
  const idsOf = (text: string): number[] => tokenizer.encode(text).ids;
  // what stands behind every text, such as [SEP]: pooling by the last token goes by it
  const ending = endingOf(idsOf(''), idsOf('a'));
  const { maxTokens } = layout;
  const startOf = (text: string): string =>
    text.slice(0, maxTokens * CHARS_PER_TOKEN).replace(LONE_SURROGATES, '\uFFFD');
  const cut = (all: readonly number[], end: readonly number[]): number[] =>
    all.length <= maxTokens ? [...all] : [...all.slice(0, maxTokens - end.length), ...end];
  return {
    padTokenId: layout.padTokenId ?? paddingOf(json, tokenizer),
    read: (text) => cut(idsOf(startOf(text)), ending),
    readPair(first, second) {
      const { ids, token_type_ids: types } = tokenizer.encode(startOf(first), {
        text_pair: startOf(second),
        return_token_type_ids: true,
      });
      return {
        tokens: cut(ids, ending),
        types: cut(
          types,
          ending.map(() => types.at(-1) ?? 0),
        ),
      };
    },
  };
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
}

/** What the tokens of no text and those of a text have in common at their end. */
function endingOf(empty: readonly number[], some: readonly number[]): number[] {
  let length = 0;
  while (length < empty.length && empty.at(-1 - length) === some.at(-1 - length)) length += 1;
  return length === 0 ? [] : empty.slice(-length);
}

function paddingOf(json: Record<string, unknown>, tokenizer: Tokenizer): number {
  const { padding } = json as { padding?: { pad_id?: unknown } | null };
  if (typeof padding?.pad_id === 'number') return padding.pad_id;
  return PADDINGS.map((token) => tokenizer.token_to_id(token)).find((id) => id !== undefined) ?? 0;
}
