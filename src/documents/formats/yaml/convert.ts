import { loadAll, YAMLException } from 'js-yaml';
import { parseAllDocuments } from 'yaml';
import type { Converted } from '../converted.ts';
import { keepStructured, type SyntaxFault, shortMessage } from '../structured/convert.ts';

/** Far above what people write. Some hundred levels more end the process in the second parser. */
const DEEPEST = 100;
/** The second parser takes seconds for a megabyte of the worst kind. */
const LONGEST_FOR_SECOND = 500_000;
const TOO_DEEP: SyntaxFault = {
  kind: 'deep_nesting',
  message: `nested more than ${DEEPEST} levels deep`,
};

/** The deepest level of brackets, those in strings and comments included: never less than a parser sees. */
function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if ((code === 93 || code === 125) && depth > 0) depth--;
  }
  return deepest;
}

/** An upper bound of how deep the blocks are nested: what stands before a line's text, `- ` and `? ` included. */
function indentation(text: string): number {
  let widest = 0;
  for (const [lead] of text.matchAll(/^(?:[ \t]|[-?](?=[ \t]))*/gm)) widest = Math.max(widest, lead.length);
  return widest;
}

/**
 * js-yaml is quick and counts levels, but refuses tags that it does not know; what it refuses gets a second opinion,
 * unless it is nested so deeply that the second parser could fail for good.
 */
function findFault(text: string): SyntaxFault | undefined {
  try {
    loadAll(text, { maxDepth: DEEPEST });
    return undefined;
  } catch (error) {
    if (error instanceof YAMLException && /nesting exceeded/.test(error.reason)) return TOO_DEEP;
    const isSafe = text.length <= LONGEST_FOR_SECOND && bracketDepth(text) <= DEEPEST;
    if (!isSafe || indentation(text) > 4 * DEEPEST) return faultOf(error);
  }
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const [error] = 'empty' in documents ? documents.errors : documents.flatMap(({ errors }) => errors);
  return error && { ...faultOf(error), ...(error.linePos && { line: error.linePos[0].line }) };
}

function faultOf(error: unknown): SyntaxFault {
  const fault: SyntaxFault = { kind: 'syntax_error', message: 'it is not valid YAML' };
  if (error instanceof YAMLException) {
    return {
      ...fault,
      message: shortMessage(error.reason),
      ...(error.mark && { line: error.mark.line + 1 }),
    };
  }
  return error instanceof Error && error.name === 'YAMLParseError'
    ? { ...fault, message: shortMessage(error.message).replace(/ at line \d+, column \d+$/, '') }
    : fault;
}

/**
 * Converts YAML: the text as it is, templates and broken YAML included; faults are reported.
 *
 * @throws ConversionError
 */
export function convertYaml(bytes: Uint8Array): Converted<'yaml'> {
  return keepStructured(bytes, 'yaml', findFault);
}
