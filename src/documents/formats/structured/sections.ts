import { lineStarts } from '../../../text/lines.ts';
import { oneLine } from '../../../text/one-line.ts';
import { type Block, block, lineBlocks } from '../../structure/blocks.ts';
import type { ParsedSection } from '../../structure/section.ts';
import { type Member, memberBlock } from './member.ts';

const DEEPEST = 3;
// Thousands of values of a word each are a list to be cut, not an outline.
const MOST_SHORT_MEMBERS = 2_000;
const SHORT = 200;
const LONGEST_KEY = 200;

/**
 * A section for each member; one that is longer than `longest` characters and has keys of its own becomes a section
 * for its own line and one for each of these, three levels deep at most. A text without members is one section.
 */
export function sectionsOfMembers(text: string, members: Member[], longest: number): ParsedSection[] {
  if (members.length === 0) {
    const starts = lineStarts(text);
    return [filled([], 0, 0, text.length, lineBlocks('text', starts, 0, starts.length - 1), true)];
  }
  const [start] = members;
  if (start && !isOutline(members, text.length)) {
    return [
      filled([], 0, 0, text.length, [{ ...start, start: 0 }, ...members.slice(1)].map(memberBlock), true),
    ];
  }
  const sections: ParsedSection[] = [];
  const visit = (member: Member, outer: string[], level: number): void => {
    const headerPath = member.key === '' ? outer : [...outer, oneLine(member.key, LONGEST_KEY)];
    const { start, end } = member;
    const own = level < DEEPEST && end - start > longest ? member.members() : [];
    const first = own[0];
    if (first && own.length > 1 && isOutline(own, end - start)) {
      if (start < first.start) {
        const line = [block('text', start, first.start)];
        sections.push(filled(headerPath, level, start, first.start, line, false));
      }
      for (const one of own) visit(one, headerPath, level + 1);
    } else {
      sections.push(filled(headerPath, level, start, end, [memberBlock(member)], true));
    }
  };
  members.forEach((member, i) => {
    // What stands before the first (an opening bracket, a comment) is part of it.
    visit(i === 0 ? { ...member, start: 0 } : member, [], 1);
  });
  return sections;
}

const isOutline = (members: readonly Member[], length: number): boolean =>
  members.filter(({ key }) => key !== '').length * 2 >= members.length &&
  (members.length <= MOST_SHORT_MEMBERS || length > members.length * SHORT);

function filled(
  headerPath: string[],
  level: number,
  charStart: number,
  charEnd: number,
  blocks: Block[],
  hasBody: boolean,
): ParsedSection {
  return { section: { headerPath, level, charStart, charEnd, page: null }, blocks, hasBody };
}
