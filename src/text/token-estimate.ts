const STEP = 32;

// Tokens that a character starts a run of its kind with, and that one more of the run adds: lower and upper case,
// digits, spaces, line ends and tabs, punctuation, letters up to U+05FF, all else. A least squares fit to what
// `countTokens` says of 430 stretches of 2,000 characters (guides, change logs, YAML, JSON, source code, Chinese). On 430
// others it is 4 % off in the median and at most 13 % in 19 of 20; a quarter of the number of characters is 13 % off in
// the median.
const FIRST = [0.633, 0.574, 0.942, 0.141, 0.776, 0.65, 0.611, 0.867];
const NEXT = [0.097, 0.129, 0.397, 0.006, 0.045, 0.34, 0.347, 0.648];
// for each kind before and each kind: without a branch it takes half the time
const COSTS = Float64Array.from({ length: 64 }, (_, i) => (i >> 3 === (i & 7) ? NEXT : FIRST)[i & 7] ?? 0);
const LATIN = 6;
const OTHER = 7;

const KINDS = Uint8Array.from({ length: 0x600 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (code >= 128) return LATIN;
  if (/[a-z]/.test(char)) return 0;
  if (/[A-Z]/.test(char)) return 1;
  if (/\d/.test(char)) return 2;
  if (char === ' ') return 3;
  return /[\t\r\n]/.test(char) ? 4 : 5;
});

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < KINDS.length ? (KINDS[code] ?? OTHER) : OTHER;
}

/** Tokens of `text.slice(start, end)`, what stands before it taken into account; not a whole number. */
function weigh(text: string, start: number, end: number): number {
  if (start >= end) return 0;
  // at the start of the text any other kind will do
  let before = start > 0 ? kindAt(text, start - 1) : kindAt(text, 0) ^ 1;
  let sum = 0;
  for (let i = start; i < end; i++) {
    const kind = kindAt(text, i);
    sum += COSTS[(before << 3) | kind] ?? 0;
    before = kind;
  }
  return sum;
}

/** Estimates the tokens of a text, at a tenth of the cost of counting them. */
export const estimateTokens = (text: string): number => Math.ceil(weigh(text, 0, text.length));

/** Estimates the tokens of any stretch of a text: one pass over the text, then no more than a glance for each. */
export function tokenEstimator(text: string): (start: number, end: number) => number {
  const sums = new Float64Array(Math.floor(text.length / STEP) + 1);
  for (let mark = 1; mark < sums.length; mark++) {
    sums[mark] = (sums[mark - 1] ?? 0) + weigh(text, (mark - 1) * STEP, mark * STEP);
  }
  const sumAt = (at: number): number => {
    const mark = Math.min(Math.floor(at / STEP), sums.length - 1);
    return (sums[mark] ?? 0) + weigh(text, mark * STEP, at);
  };
  return (start, end) => (end > start ? Math.max(1, Math.round(sumAt(end) - sumAt(start))) : 0);
}
