import type { Outline } from '../../src/documents/outline/outline.ts';

/** What is wrong with an outline whatever the text: ranges, order, lengths, ids, the tree. */
export function outlineFaults(text: string, { nodes, digest, truncated }: Outline): string[] {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  const seen = new Map<string, (typeof nodes)[number]>();
  let before = 0;
  for (const node of nodes) {
    const { id, parentId, level, charStart, charEnd, bodyEnd } = node;
    const at = `${id} ${JSON.stringify(node.text)}`;
    expect(/^[0-9a-f]{8}-[0-9a-f]{8}$/.test(id), `${at}: id`);
    expect(!seen.has(id), `${at}: id twice`);
    expect(level >= 1, `${at}: level ${level}`);
    expect(before <= charStart, `${at}: starts before the one before`);
    expect(charStart <= bodyEnd && bodyEnd <= charEnd && charEnd <= text.length, `${at}: range`);
    expect(node.text.length <= 200 && !/[\r\n\0]/.test(node.text), `${at}: text`);
    expect(node.blurb.length <= 240 && !/[\r\n\0]/.test(node.blurb), `${at}: blurb`);
    expect(node.text.isWellFormed() && node.blurb.isWellFormed(), `${at}: half a character`);
    expect(node.tokenEstimate >= (charEnd > charStart ? 1 : 0), `${at}: tokens`);
    const parent = seen.get(parentId ?? '');
    if (parentId !== null) {
      expect(parent !== undefined, `${at}: no parent`);
      if (parent) {
        expect(parent.level < level, `${at}: level of its parent`);
        expect(parent.bodyEnd <= charStart && charEnd <= parent.charEnd, `${at}: outside of its parent`);
      }
    }
    before = charStart;
    seen.set(id, node);
  }
  expect(/^[0-9a-f]{16}$/.test(digest), `digest ${digest}`);
  expect(nodes.length <= 20_000, `${nodes.length} nodes`);
  expect(nodes.length > 0 || text.trim() === '' || !truncated, 'nothing left');
  return faults;
}
