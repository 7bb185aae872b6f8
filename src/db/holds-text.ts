/**
 * A condition that a text holds another one, in whatever case; no character of either has a meaning of its own.
 *
 * @param column SQL that gives the text
 * @param parameter SQL that gives what is looked for
 */
export const holdsText = (column: string, parameter: string): string =>
  `position(lower(${parameter}::text) in lower(${column})) > 0`;
