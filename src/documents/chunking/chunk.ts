import type { Chunking, HierarchicalChunking } from '../../contract/chunking.ts';
import type { ParsedDocument } from '../structure/parsed-document.ts';
import type { ParsedSection, Section } from '../structure/section.ts';
import { buildChunks, type ParentSpan } from './build-chunks.ts';
import type { Leaf, Parent } from './chunks.ts';
import { fixedWindows } from './fixed-windows.ts';
import { leafSpans } from './leaves.ts';
import { mergeSections } from './merge-sections.ts';
import { groupIntoParents } from './parents.ts';
import { splitBlocks } from './splits.ts';
import { targetLeafTokens } from './target-leaf-size.ts';

interface ChunkOptions {
  /** The file's name within its project: part of breadcrumbs and ids. */
  filename: string;
  chunking: Chunking;
}

interface ChunkedDocument {
  sections: Section[];
  parents: Parent[];
  leaves: Leaf[];
}

// A structured text's value is cut into sections of its own when it is likely longer than a parent. Counting its
// tokens would cost more than knowing exactly is worth.
const CHARS_PER_TOKEN = 4;
const LONGEST_VALUE_TOKENS = 2_000;

/**
 * Cuts a document into sections, parents and leaves. Leaves stand in document order and leave out nothing but white
 * space; under `hierarchical` they do not overlap, each lies in its parent, and `oversized` marks those over the
 * maximum or cut inside a sentence. All offsets are into the document's text. Token counts of leaves and parents are
 * sums over their parts with the white space behind them: right to a few tokens. Pure; time grows in proportion to the
 * length of the text.
 */
export function chunkDocument(
  document: ParsedDocument,
  { filename, chunking }: ChunkOptions,
): ChunkedDocument {
  const { text, pageStarts } = document;
  const longestValue =
    (chunking.strategy === 'hierarchical' ? chunking.parent_max_tokens : LONGEST_VALUE_TOKENS) *
    CHARS_PER_TOKEN;
  const parsed = text.trim() === '' ? [] : document.sections(longestValue);
  const spans =
    chunking.strategy === 'fixed'
      ? fixedWindows(text, parsed, chunking)
      : hierarchicalSpans(text, parsed, chunking);
  const sections = parsed.map(({ section }) => section);
  return { sections, ...buildChunks({ text, filename, pageStarts }, spans) };
}

function hierarchicalSpans(
  text: string,
  parsed: ParsedSection[],
  chunking: HierarchicalChunking,
): ParentSpan[] {
  const limits = {
    leafMin: chunking.leaf_min_tokens,
    leafMax: chunking.leaf_max_tokens,
    parentMax: chunking.parent_max_tokens,
  };
  const sized = parsed.map((section) => {
    const splits = splitBlocks(text, section.blocks, limits);
    return { ...section, splits, tokens: splits.reduce((sum, split) => sum + split.size, 0) };
  });
  return mergeSections(sized, limits.leafMin, targetLeafTokens(limits)).flatMap((unit) =>
    groupIntoParents(leafSpans(text, unit, limits), limits.parentMax).map((leaves) => ({
      sections: unit.sections,
      leaves,
    })),
  );
}
