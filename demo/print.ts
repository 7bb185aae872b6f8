import { itemsOf, pathOf, recalledLabels } from './checks.ts';
import type { FileAnswer, Receipt, TurnAnswer } from './wire.ts';

const WIDTH = 110;

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
const number = (value: number): string => value.toLocaleString('en-US');
const percent = (part: number, whole: number): string => `${Math.round((1 - part / whole) * 100)} %`;
const line = (label: string, text: string): void => console.log(`     ${label.padEnd(9)} ${text}`);

export const heading = (text: string): void => console.log(`\n${text}\n${'─'.repeat(text.length)}`);

export function printFile(file: FileAnswer): void {
  const outcome =
    file.last_error === null
      ? `${file.parent_count} sections, ${file.chunk_count} leaves, ${number(file.token_estimate)} tokens`
      : file.last_error.message;
  console.log(`${file.name.padEnd(28)} ${file.status.padEnd(10)} ${clip(outcome, WIDTH - 40)}`);
}

/** One turn: how it was routed, what was sent, and what that saved. */
export function printTurn(turn: TurnAnswer, receipt: Receipt, everything: number): void {
  const { next_probe, action, requires_retrieval, source } = turn.routing;
  const sections = itemsOf(receipt, 'retrieved_documents').map(pathOf);
  console.log(`\n${String(turn.turn_number).padStart(3)}  ${clip(turn.message, WIDTH - 5)}`);
  line(
    'route',
    `probe ${next_probe ?? 'none'}, action ${action}, retrieval ${requires_retrieval ? 'yes' : 'no'} (${source})`,
  );
  for (const [index, path] of sections.entries()) line(index === 0 ? 'sections' : '', clip(path, WIDTH - 15));
  const recalled = recalledLabels(receipt);
  if (recalled.length > 0) line('recalled', recalled.join(', '));
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
