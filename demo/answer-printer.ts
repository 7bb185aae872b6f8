const INDENT = ' '.repeat(15);
const COLUMNS = 95;
const MOST_LINES = 3;

/** Prints an answer while it comes, word by word, wrapped, and no more than its first lines. */
export function createAnswerPrinter(label: string) {
  let column = 0;
  let lines = 0;
  const write = (text: string): boolean => process.stdout.write(text);

  function print(word: string): void {
    if (lines > MOST_LINES) return;
    if (lines === 0 || column + 1 + word.length > COLUMNS) {
      lines += 1;
      if (lines > MOST_LINES) {
        write(' …');
        return;
      }
      write(lines === 1 ? `     ${label.padEnd(9)} ${word}` : `\n${INDENT}${word}`);
      column = word.length;
    } else {
      write(` ${word}`);
      column += 1 + word.length;
    }
  }

  return {
    add(text: string): void {
      for (const word of text.split(/\s+/)) if (word !== '') print(word);
    },
    end(): void {
      if (lines > 0) write('\n');
    },
  };
}
