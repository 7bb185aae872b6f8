/** Where a command writes. */
export interface Output {
  /** A line, or lines, of the result. */
  line(text?: string): void;
  /** Of the result, without a line end: text as it comes. */
  write(text: string): void;
  /** Of what is no result, without a line end: text as it comes. */
  remark(text: string): void;
  /** What is no result: progress and remarks, on the error channel. */
  note(text: string): void;
  /** Puts a remark in the place of the one before, on a terminal's error channel; null: there is none to look at. */
  live: ((text: string) => void) | null;
  /** The result as JSON on one line, with `--json`. */
  json(value: unknown): void;
  /** Results are wanted as JSON. */
  readonly isJson: boolean;
  /** Somebody looks at a terminal. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

const WIDTH = 100;

/** Where results and remarks go. */
export interface Streams {
  stdout: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;
  stderr: NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY'>>;
}

export function createOutput({ stdout, stderr }: Streams, isJson: boolean): Output {
  return {
    line: (text = '') => void stdout.write(`${plain(text)}\n`),
    write: (text) => void stdout.write(plain(text)),
    remark: (text) => void stderr.write(plain(text)),
    note: (text) => void stderr.write(`${plain(text)}\n`),
    live: stderr.isTTY === true && !isJson ? (text) => void stderr.write(`\r\u001b[2K${plain(text)}`) : null,
    json: (value) => void stdout.write(`${escaped(JSON.stringify(value))}\n`),
    isJson,
    isTerminal: stdout.isTTY === true,
    width: Math.max(40, stdout.columns ?? WIDTH),
  };
}

/** Text of documents and models must not drive the terminal: control characters other than line ends and tabs go. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
export const plain = (text: string): string => text.replace(CONTROLS, '');

/** JSON that drives no terminal either: it leaves the upper control characters as they are. */
const escaped = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

/** Rows in columns, those of numbers to the right; the last column is cut where the line ends. */
export function table(rows: readonly (readonly (string | number)[])[], width: number): string {
  const cells = rows.map((row) => row.map((cell) => plain(String(cell)).replace(/\s+/g, ' ')));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const isNumber = widths.map((_, at) => rows.slice(1).every((row) => typeof row[at] === 'number'));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join('\n');
}

/** A share, 0 to 1, as a bar. */
export function bar(share: number, length: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * length * 8);
  const rest = eighths % 8;
  return `${'█'.repeat(Math.floor(eighths / 8))}${rest > 0 ? '▏▎▍▌▋▊▉'[rest - 1] : ''}`;
}

/** One line of a longer text. */
export const clip = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
};
