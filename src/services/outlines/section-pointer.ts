import type { SectionPointer } from '../../contract/sections.ts';
import type { StoredLeafText } from '../../db/leaves.ts';
import type { OutlineNode } from '../../documents/outline/outline.ts';
import type { TermsAsked } from '../../text/asked-terms.ts';
import { chunkPointer, outlinePointer } from './pointer-id.ts';
import { previewOf } from './preview.ts';
import type { SectionPart } from './section-parts.ts';
import { headerPathOf } from './surviving.ts';

/** A section of more than this is not read in one go: the pointer names the chunk then. */
const WHOLE_SECTION_TOKENS = 2_000;

/**
 * The pointer to what a leaf was found in: the section as a whole, or the leaf alone where the section is long.
 *
 * @param part what the leaf has of the section; null: no section of the outline has it
 * @param nodes all nodes of the outline
 * @param found.terms those of the query: the preview is the line that has most of them
 */
export function sectionPointer(
  filename: string,
  leaf: StoredLeafText,
  part: SectionPart | null,
  nodes: ReadonlyMap<string, OutlineNode>,
  { score, terms }: { score: number; terms: TermsAsked },
): SectionPointer {
  const node = part?.node ?? null;
  const isWhole = node !== null && node.tokenEstimate <= WHOLE_SECTION_TOKENS;
  return {
    chunk_id: leaf.leafId,
    pointer_id: isWhole
      ? outlinePointer(filename, node.id)
      : chunkPointer(filename, node?.id ?? null, leaf.leafId),
    score: Math.round(score * 1_000) / 1_000,
    preview: previewOf(part?.text ?? leaf.text, terms),
    token_estimate: isWhole ? node.tokenEstimate : leaf.tokens,
    page: leaf.page,
    outline_context: node && {
      node_id: node.id,
      pointer_id: outlinePointer(filename, node.id),
      level: node.level,
      text: node.text,
      header_path: headerPathOf(nodes, node),
      token_estimate: node.tokenEstimate,
    },
  };
}
