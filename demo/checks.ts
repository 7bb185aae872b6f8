import type { ScriptedTurn } from './session.ts';
import type { Citation, Receipt, ReceiptItem, TurnAnswer } from './wire.ts';

/** Something is not as the demo promises. */
export class CheckFailed extends Error {}

/** Counts what was checked, so that the last line can say it. */
export interface Checks {
  count: number;
  that(holds: boolean, otherwise: string): void;
}

export function createChecks(): Checks {
  return {
    count: 0,
    that(holds, otherwise) {
      this.count += 1;
      if (!holds) throw new CheckFailed(otherwise);
    },
  };
}

/** A section's address as a reader would say it. */
export const pathOf = ({ filename, header_path }: Pick<ReceiptItem, 'filename' | 'header_path'>): string =>
  [filename ?? '?', ...(header_path ?? [])].join(' > ');

/** The items of one section of a prompt; none if the section was not sent. */
export const itemsOf = (receipt: Receipt, section: string): ReceiptItem[] =>
  receipt.sections.find(({ name }) => name === section)?.items ?? [];

/** The labels under which earlier turns were sent, `Turn 3 (Probe: ...)`. */
export const recalledLabels = (receipt: Receipt): string[] => {
  const text = receipt.sections.find(({ name }) => name === 'retrieved_turns')?.text ?? '';
  return [...text.matchAll(/label="(Turn \d+[^"]*)"/g)].map((match) => match[1] ?? '');
};

/** What a reply repeats of an earlier turn; null: nothing. */
export const recollection = ({ response }: TurnAnswer, earlier: number): string | null =>
  response?.split('\n').find((text) => text.startsWith(`In turn ${earlier} you said: `)) ?? null;

/** That the brief has what the conversation has stated. */
export function checkBrief(checks: Checks, session: readonly ScriptedTurn[], brief: string): void {
  for (const text of session.flatMap(({ records = [] }) => records)) {
    checks.that(brief.includes(text), `the brief does not have "${text}", which was stated`);
  }
}

/** That a turn did what the script expects of it. */
export function checkTurn(checks: Checks, script: ScriptedTurn, turn: TurnAnswer, receipt: Receipt): void {
  const where = `turn ${turn.turn_number} ("${script.message}")`;
  const found = itemsOf(receipt, 'retrieved_documents').map(pathOf);
  const recalled = recalledLabels(receipt);
  checks.that(turn.status === 'completed', `${where} ended ${turn.status}`);
  if (script.filler) {
    checks.that(turn.routing?.requires_retrieval === false, `${where} is a filler but asked for retrieval`);
    checks.that(
      found.length + recalled.length === 0,
      `${where} is a filler but was sent ${[...found, ...recalled].join(', ')}`,
    );
  }
  if (script.finds) {
    const { filename, headerPath } = script.finds;
    const wanted = pathOf({ filename, header_path: headerPath });
    checks.that(found.includes(wanted), `${where} was not sent "${wanted}", only: ${found.join(', ')}`);
  }
  if (script.recalls !== undefined) {
    const label = `Turn ${script.recalls} (`;
    checks.that(
      recalled.some((each) => each.startsWith(label)),
      `${where} was not sent "${label}...)", only: ${recalled.join(', ') || 'no earlier turn'}`,
    );
    checks.that(
      recollection(turn, script.recalls) !== null,
      `${where} was not answered from turn ${script.recalls}: ${turn.response}`,
    );
  }
}

/** That a citation quotes its file word for word. Offsets count UTF-16 units, as JavaScript's strings do. */
export function checkCitation(checks: Checks, citation: Citation, markdown: string): void {
  const { char_start, char_end, quote } = citation;
  checks.that(
    quote !== '' && markdown.slice(char_start, char_end) === quote,
    `citation [${citation.marker}] quotes "${quote}", but ${citation.filename} has "${markdown.slice(char_start, char_end)}" there`,
  );
}
