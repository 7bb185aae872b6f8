/** A line without the marks of Markdown. */
export function clean(text: string): string {
  return text
    .replace(/^[\s#>|*+=-]+|[\s|#*_]+$/g, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/(?<![\w])[_*](\S[^_*]*)[_*](?!\w)/g, '$1')
    .replace(/\s+/g, ' ');
}
