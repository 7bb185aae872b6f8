/** Refuses what was called before: the result stands in the conversation. */
export function createCallGuard() {
  const seen = new Map<string, number>();
  return {
    /**
     * @param input in its canonical form: with defaults filled in
     * @returns the number of the step that made the same call; null: it is the first
     */
    earlier(tool: string, input: unknown, step: number): number | null {
      const key = `${tool} ${canonicalJson(input)}`;
      const before = seen.get(key);
      if (before !== undefined) return before;
      seen.set(key, step);
      return null;
    },
  };
}

/** The JSON of a value with members in the order of their names: equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : typeof member === 'string'
        ? member.trim()
        : member,
  );
}
