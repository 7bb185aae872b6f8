import { type Block, block } from '../../structure/blocks.ts';

/** A member of a structured text (YAML, JSON): a key with its value, an element of a list, or just a line. */
export interface Member {
  /** Its key, `[2]` for a list element, empty for a line without either. */
  key: string;
  start: number;
  end: number;
  /** Its own members, in order, without gaps up to its end; none for what has no structure. */
  members(): Member[];
}

/** A member as a block: its members are its children, and so is what stands before the first (its key's line). */
export function memberBlock(member: Member): Block {
  return block('container', member.start, member.end, () => {
    const members = member.members();
    const first = members[0];
    if (!first) return [block('text', member.start, member.end)];
    const children = members.map(memberBlock);
    if (first.start > member.start) children.unshift(block('text', member.start, first.start));
    return children;
  });
}
