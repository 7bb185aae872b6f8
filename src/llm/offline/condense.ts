import { countTokens } from '../../text/tokens.ts';
import type { ConversationFacts } from '../model.ts';
import { clean } from './clean.ts';
import { clip } from './clip.ts';

/** A sentence of the conversation, and what it is worth keeping. */
interface Kept {
  turn: number;
  text: string;
  tokens: number;
  worth: number;
}

const LONGEST = 240;
const READ = 8_000;
const SHORTEST = 8;
const ITEM = /^\s*(?:[-*+>]|\d{1,3}[.)])\s+/;
const LINE = /^Turn (\d{1,6}): /;
// "Turn 12: " and the end of the line
const LINE_TOKENS = 6;
// Short sentences are not better than long ones by being short alone.
const LENGTH_EASE = 12;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What makes a sentence worth keeping, and how much each of them counts. */
const SIGNS: readonly { pattern: RegExp; worth: number }[] = [
  { pattern: /\p{N}[\p{N}.,:]*/gu, worth: 3 },
  // a capital inside a sentence: a name, a month, a product
  { pattern: /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}]+/gu, worth: 2 },
  {
    pattern:
      /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|percent)\b/giu,
    worth: 2,
  },
  {
    pattern:
      /\b(?:must|has to|have to|decide[sd]?|decision|agreed?|deadline|budget|target|limit|only|never|nobody|not|because|instead|no longer|moved|changed|correction|actually|wants?|afraid|fears?|owns?|approves?|refuse[sd]?|cost|risk)\b/giu,
    worth: 1,
  },
  // scripts without capitals show no names, and the words above are English: any statement may be one that counts
  { pattern: /\p{Lo}{3,}/gu, worth: 1 },
];

/**
 * The summary of a conversation made anew by rules: of the sentences of the old one and of what the user said since, those
 * that have most names, numbers, dates and decisions for their length, a line for each turn, within `maxTokens`. Courtesies and
 * questions go. The same facts give the same text.
 */
export function condenseByRules({
  previous,
  exchanges,
  maxTokens,
}: Omit<ConversationFacts, 'task' | 'kind'>): string {
  const all = [
    ...keptBefore(previous),
    // the copilot mostly asks, and says again what it was told; what it alone has said must not pass for the user's
    ...exchanges.flatMap(({ turnNumber, message }) => keptOf(turnNumber, message)),
  ];
  const sizes = new Map<number, number>();
  for (const { turn } of all) sizes.set(turn, (sizes.get(turn) ?? 0) + 1);
  let tokens = all.reduce((sum, kept) => sum + kept.tokens, sizes.size * LINE_TOKENS);
  const gone = new Set<Kept>();
  // what is worth least goes first; among equals what is older
  for (const kept of [...all].sort((a, b) => a.worth - b.worth || a.turn - b.turn)) {
    if (tokens <= maxTokens) break;
    gone.add(kept);
    const left = (sizes.get(kept.turn) ?? 0) - 1;
    sizes.set(kept.turn, left);
    tokens -= kept.tokens + (left === 0 ? LINE_TOKENS : 0);
  }
  return written(all.filter((kept) => !gone.has(kept)));
}

function written(all: readonly Kept[]): string {
  const byTurn = new Map<number, string[]>();
  for (const { turn, text } of all) byTurn.set(turn, [...(byTurn.get(turn) ?? []), text]);
  return [...byTurn]
    .map(([turn, texts]) => (turn === 0 ? texts.join('\n') : `Turn ${turn}: ${texts.join(' ')}`))
    .join('\n');
}

/** The sentences of the old summary; a line of another form, which a model wrote, stays whole. */
function keptBefore(previous: string): Kept[] {
  return previous.split('\n').flatMap((line) => {
    const turn = LINE.exec(line);
    if (!turn) return line.trim() === '' ? [] : [kept(0, line.trim())];
    return sentencesOf(line.slice(turn[0].length)).map((text) => kept(Number(turn[1]), text));
  });
}

const keptOf = (turn: number, said: string): Kept[] =>
  sentencesOf(plain(said))
    .filter((text) => !/[?？]["”»)]?$/.test(text))
    .map((text) => kept(turn, text))
    .filter(({ worth }) => worth > 0);

const plain = (said: string): string =>
  said
    .slice(0, READ)
    .split('\n')
    .map((line) => clean(line.replace(ITEM, '')))
    .join('\n');

function kept(turn: number, sentence: string): Kept {
  const text = sentence.length > LONGEST ? `${clip(sentence, LONGEST - 1)}…` : sentence;
  const tokens = countTokens(` ${text}`);
  const signs = SIGNS.reduce(
    (sum, { pattern, worth }) => sum + worth * (text.match(pattern)?.length ?? 0),
    0,
  );
  return { turn, text, tokens, worth: signs / (tokens + LENGTH_EASE) };
}

const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => [...sentences.segment(line)].map(({ segment }) => segment.trim()))
    .filter((segment) => segment.length >= SHORTEST);
