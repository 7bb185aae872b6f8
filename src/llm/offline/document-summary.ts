import type { TextFacts } from '../model.ts';
import { clip } from './clip.ts';

const LONGEST = { part: 600, document: 1_800 };
const LONGEST_LINE = 300;
const READ = 2_000;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * An extract of a part of a document, or of the whole: the first sentence under each heading, in their order; where there
 * are too many, some are left out between the first and the last.
 */
export function documentExtract({ kind, text }: TextFacts): string {
  const pieces = text.split(/(?=^\s{0,3}#{1,6}\s|^\[Source: )/m);
  // extracts of parts have no headings any more: each line is one
  const lines = (pieces.length > 1 ? pieces.map(opening) : text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const room = kind === 'document' ? LONGEST.document : LONGEST.part;
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const every = Math.max(1, Math.ceil(length / room));
  const kept = lines.filter((_, index) => index % every === 0);
  return clip(kept.join('\n'), room + LONGEST_LINE) || 'The document has no text.';
}

/** The first sentence of what stands under a heading, with the heading, without marks of Markdown, tables and rules. */
function opening(piece: string): string {
  const [, heading] = /^\s{0,3}#{1,6}\s+(.*)$/m.exec(piece) ?? [];
  const body = piece
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||\[Source: |[-*_=]{3,}\s*$)/.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, '')
        .replace(/\*\*|__|`/g, '')
        .trim(),
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  const [first] = sentences.segment(body.slice(0, READ));
  if (!first) return '';
  const sentence = clip(first.segment.trim(), LONGEST_LINE);
  return heading === undefined ? sentence : `${heading.trim()}: ${sentence}`;
}
