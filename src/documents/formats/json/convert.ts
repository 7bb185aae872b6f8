import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { Converted } from '../converted.ts';
import { keepStructured, type SyntaxFault } from '../structured/convert.ts';

/** `InvalidSymbol` as `invalid symbol`. */
function words(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

function findFault(text: string): SyntaxFault | undefined {
  let fault: SyntaxFault | undefined;
  const onError = (code: ParseErrorCode, _offset: number, _length: number, startLine: number) => {
    fault ??= { kind: 'syntax_error', line: startLine + 1, message: words(code) };
  };
  try {
    visit(text, { onError }, { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for each level, some thousands of them at most.
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'deep_nesting', message: 'nested too deeply' };
  }
  return fault;
}

/**
 * Converts JSON: the text as it is. Comments and trailing commas are taken as they come; any other fault is reported.
 *
 * @throws ConversionError
 */
export function convertJson(bytes: Uint8Array): Converted<'json'> {
  return keepStructured(bytes, 'json', findFault);
}
