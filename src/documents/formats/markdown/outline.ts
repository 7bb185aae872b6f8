import type { Token } from 'markdown-it';
import { oneLine } from '../../../text/one-line.ts';
import {
  MAX_BLURB,
  type OutlineItem,
  type OutlineItems,
  type OutlineLimits,
} from '../../structure/outline-item.ts';
import { pruneTree } from '../../structure/prune-tree.ts';
import type { BlockTokens } from './block-tokens.ts';
import { htmlBlurb, inlineBlurb } from './blurb.ts';
import { headingText } from './heading-text.ts';

interface Heading {
  token: number;
  /** The token of the next heading, kept or not. */
  next: number;
  level: number;
  start: number;
}

/**
 * A node for each heading that stands on top level by CommonMark's rules (none in a quotation, a list, a fence or
 * HTML), in the tree that their levels make.
 */
export function markdownOutline(
  text: string,
  { tokens, starts, env }: BlockTokens,
  { levels, nodes }: OutlineLimits,
): OutlineItems {
  const all = topHeadings(tokens, starts);
  const last = lastLevel(all, levels);
  const shallow = all.filter(({ level }) => level <= last);
  const parents = parentsOf(shallow);
  const depths: number[] = [];
  for (const [i, parent] of parents.entries()) depths[i] = (depths[parent] ?? 0) + 1;
  const isKept = pruneTree(depths, { nodes });
  const ends = endsOf(shallow, text.length);
  const items: OutlineItem[] = [];
  const places: number[] = [];
  for (const [i, { token, next, level, start }] of shallow.entries()) {
    if (!isKept[i]) continue;
    places[i] = items.length;
    items.push({
      parent: places[parents[i] ?? -1] ?? -1,
      depth: depths[i] ?? 1,
      level,
      text: headingText(tokens[token + 1]?.content ?? '', env).toWellFormed(),
      blurb: blurbOf(tokens, token + 3, next, env),
      charStart: start,
      charEnd: ends[i] ?? text.length,
    });
  }
  return { items, truncated: items.length < all.length };
}

function topHeadings(tokens: readonly Token[], starts: readonly number[]): Heading[] {
  const headings: Heading[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.level !== 0 || token.type !== 'heading_open') continue;
    const before = headings[headings.length - 1];
    if (before) before.next = i;
    const level = Number(token.tag.slice(1));
    headings.push({ token: i, next: tokens.length, level, start: starts[token.map?.[0] ?? 0] ?? 0 });
  }
  return headings;
}

/** Of a huge document levels 1 and 2 are kept or, where it has neither, as many as that of those that it has. */
function lastLevel(headings: readonly Heading[], levels: number): number {
  if (headings.some(({ level }) => level <= levels)) return levels;
  const present = [...new Set(headings.map(({ level }) => level))].sort((a, b) => a - b);
  return present[levels - 1] ?? Infinity;
}

function parentsOf(headings: readonly Heading[]): number[] {
  const open: number[] = [];
  return headings.map(({ level }, i) => {
    while ((headings[open[open.length - 1] ?? -1]?.level ?? 0) >= level) open.pop();
    const parent = open[open.length - 1] ?? -1;
    open.push(i);
    return parent;
  });
}

/** A heading's section ends at the next one that is not below it. */
function endsOf(headings: readonly Heading[], length: number): number[] {
  const ends: number[] = new Array(headings.length).fill(length);
  // Here stands where the next heading of each level, or of a higher one, starts.
  const next: number[] = new Array(7).fill(length);
  for (let i = headings.length - 1; i >= 0; i--) {
    const { level, start } = headings[i] ?? { level: 1, start: 0 };
    ends[i] = next[level] ?? length;
    next.fill(start, level);
  }
  return ends;
}

/** The first paragraph of its own; without one the first text of a list, a quotation or a table, code or HTML. */
function blurbOf(
  tokens: readonly Token[],
  first: number,
  last: number,
  env: Record<string, unknown>,
): string {
  let other: Token | undefined;
  for (let i = first; i < last; i++) {
    const token = tokens[i];
    if (!token || token.content === '') continue;
    if (token.type === 'inline' && token.level === 1 && tokens[i - 1]?.type === 'paragraph_open') {
      const blurb = inlineBlurb(token.content, env);
      if (blurb !== '') return blurb;
    } else {
      other ??= token;
    }
  }
  if (!other) return '';
  if (other.type === 'inline') return inlineBlurb(other.content, env);
  return other.type === 'html_block'
    ? htmlBlurb(other.content)
    : oneLine(other.content.slice(0, 4 * MAX_BLURB).toWellFormed(), MAX_BLURB);
}
