import { itemsOf, pathOf, recalledLabels } from './checks.ts';
import type { FileAnswer, Receipt, Routing } from './wire.ts';

const WIDTH = 110;

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
const number = (value: number): string => value.toLocaleString('en-US');
const percent = (part: number, whole: number): string => `${Math.round((1 - part / whole) * 100)} %`;
/** A line about a turn. */
export const line = (label: string, text: string): void => console.log(`     ${label.padEnd(9)} ${text}`);

export const heading = (text: string): void => console.log(`\n${text}\n${'─'.repeat(text.length)}`);

export function printFile(file: FileAnswer): void {
  const outcome =
    file.last_error === null
      ? `${file.parent_count} sections, ${file.chunk_count} leaves, ${number(file.token_estimate)} tokens`
      : file.last_error.message;
  console.log(`${file.name.padEnd(28)} ${file.status.padEnd(10)} ${clip(outcome, WIDTH - 40)}`);
}

export const printMessage = (turn: number, message: string): void =>
  console.log(`\n${String(turn).padStart(3)}  ${clip(message, WIDTH - 5)}`);

export const printRoute = ({ next_probe, action, requires_retrieval, source }: Routing): void =>
  line(
    'route',
    `probe ${next_probe ?? 'none'}, action ${action}, retrieval ${requires_retrieval ? 'yes' : 'no'} (${source})`,
  );

/** What the figures behind "instead of" stand for. */
export const printComparison = (): void =>
  console.log(
    'Tokens: those that a turn sends, instead of those of sending everything each time, which is all files, all earlier\n' +
      "turns, the message, and all of the copilot's own expertise.",
  );

/** What the brief says so far: its filled fields and its assumptions. */
export function printBrief(brief: string): void {
  const [established = ''] = brief.split('\n## Open points');
  const parts = established.split(/\n### /).slice(1);
  for (const part of parts) {
    const [title = '', ...lines] = part.split('\n').filter((text) => text !== '' && !text.startsWith('## '));
    if (lines[0]?.startsWith('_Not established')) continue;
    console.log(`${title.padEnd(18)} ${clip(lines.join(' '), WIDTH - 19)}`);
  }
}

/** What was sent in a turn, and what that saved. */
export function printReceipt(receipt: Receipt, everything: number): void {
  const sections = itemsOf(receipt, 'retrieved_documents').map(pathOf);
  for (const [index, path] of sections.entries()) line(index === 0 ? 'sections' : '', clip(path, WIDTH - 15));
  const recalled = recalledLabels(receipt);
  if (recalled.length > 0) line('recalled', `${recalled.join(', ')}: in the receipt as retrieved_turns`);
  line(
    'tokens',
    `${number(receipt.tokens)} instead of ${number(everything)}: ${percent(receipt.tokens, everything)} saved`,
  );
}

export function printSummary(figures: {
  turns: number;
  sent: number;
  everything: number;
  citations: number;
  checks: number;
}): void {
  const { turns, sent, everything, citations, checks } = figures;
  console.log(
    `\n${turns} turns: ${number(sent)} prompt tokens instead of ${number(everything)} (${percent(sent, everything)} saved); ` +
      `${citations} citations exact; all ${checks} checks passed.`,
  );
}
