/** One figure: how many of how many are right, with the first that are not. */
export interface OutlineRow {
  figure: string;
  right: number;
  of: number;
  note: string;
  wrong: string[];
}

const SHOWN = 5;

export const outlineRow = (figure: string, of: number, note: string, wrong: string[]): OutlineRow => ({
  figure,
  right: of - wrong.length,
  of,
  note,
  wrong: wrong.slice(0, SHOWN),
});
