import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** What is wrong with a text that is to be JSON, by the names that the parser has for it. */
const FAULTS: Record<string, string> = {
  InvalidSymbol: 'this is no value of JSON; text stands in double quotes',
  InvalidNumberFormat: 'this is no number of JSON',
  PropertyNameExpected: 'the name of a member in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing } is expected',
  CloseBracketExpected: 'a closing ] is expected',
  EndOfFileExpected: 'the end is expected: there is one value, and nothing behind it',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the text has no closing double quote',
  UnexpectedEndOfNumber: 'the number goes on no further',
  InvalidUnicode: 'a \\u needs four hexadecimal digits',
  InvalidEscapeCharacter: 'there is no such escape behind a \\',
  InvalidCharacter: 'a control character, such as a line break, must be escaped in a text',
};

/** Where a text stops being JSON, both counted from 1, and how. */
export interface JsonFault {
  line: number;
  column: number;
  what: string;
}

/** The first place where a text stops being JSON; null where there is none, or it is nested too deeply to tell. */
export function findJsonFault(text: string): JsonFault | null {
  if (text.trim() === '') return { line: 1, column: 1, what: 'there is nothing in it' };
  let first: JsonFault | null = null;
  const note = (code: ParseErrorCode, line: number, column: number): void => {
    const what = FAULTS[printParseErrorCode(code)] ?? 'this is not expected';
    first ??= { line: line + 1, column: column + 1, what };
  };
  try {
    visit(
      text,
      { onError: (code, _offset, _length, line, column) => note(code, line, column) },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return first;
}

/** Why a text is no JSON: `line 2, column 8: a value is expected`. */
export function whyNotJson(text: string): string {
  const fault = findJsonFault(text);
  if (fault === null) return 'it is nested too deeply';
  return `line ${fault.line}, column ${fault.column}: ${fault.what}`;
}
