import { createHash } from 'node:crypto';
import { OUTLINE_BUILD } from '../../contract/outline.ts';
import { tokenEstimator } from '../../text/token-estimate.ts';
import type { ParsedDocument } from '../structure/parsed-document.ts';
import { nodeIds } from './node-ids.ts';

/** One heading, key, paragraph, page or range of rows of a document. Offsets are UTF-16 code units into the text as given. */
export interface OutlineNode {
  /** 8 + 8 hex digits: of where it stands, and of what it says itself. The same as long as both are. */
  id: string;
  parentId: string | null;
  /** Of a Markdown heading 1 to 6; of a key its depth; otherwise 1. */
  level: number;
  /** The heading, the key, the beginning of the paragraph: one line of plain text, at most 200 characters. */
  text: string;
  /** Range with everything below it. */
  charStart: number;
  charEnd: number;
  /** End of its own text, before its first child. */
  bodyEnd: number;
  /** A line of at most 240 characters that says what is in it; may be empty. */
  blurb: string;
  /** Of its whole range; 4 % off in the median. */
  tokenEstimate: number;
  /** The first chunk that ends behind its start. */
  chunkId: string | null;
}

export interface Outline {
  /** In document order, parents before their children. */
  nodes: OutlineNode[];
  /** 16 hex digits over all that a client can see of the nodes. */
  digest: string;
  /** Something was left out: too many nodes, levels too deep, or a huge document. */
  truncated: boolean;
  guardrail: 'huge_document_guardrail' | null;
}

/** What a node can point to. */
interface Chunk {
  id: string;
  charEnd: number;
}

const MOST_NODES = 20_000;
const HUGE_BYTES = 5 * 1024 * 1024;
const LEVELS_OF_HUGE = 2;
const DIGEST_PIECE = 16_384;

/**
 * The outline of a document: Markdown by its headings, YAML and JSON by their keys, CSV by its rows, PDF by its pages, text
 * by its paragraphs. What cannot be parsed degrades (YAML to its indentation, both to paragraphs) and never throws. Pure; time
 * grows in proportion to the length of the text. At most 20,000 nodes, two levels of a document over 5 MiB.
 *
 * @param chunks the document's leaves in order: each node names the first that ends behind its start
 */
export function buildOutline(document: ParsedDocument, chunks: readonly Chunk[]): Outline {
  const { text } = document;
  const isHuge = text.length * 3 > HUGE_BYTES && Buffer.byteLength(text) > HUGE_BYTES;
  const limits = { levels: isHuge ? LEVELS_OF_HUGE : Infinity, nodes: MOST_NODES };
  const { items, truncated } = document.outline(limits);
  const bodyEnds = items.map(({ charEnd }, i) => {
    const next = items[i + 1];
    return next?.parent === i ? next.charStart : charEnd;
  });
  const ids = nodeIds(text, items, bodyEnds);
  const tokens = tokenEstimator(text);
  let chunk = 0;
  const nodes = items.map(({ parent, level, text: name, charStart, charEnd, blurb }, i) => {
    while (chunk < chunks.length && (chunks[chunk]?.charEnd ?? 0) <= charStart) chunk++;
    return {
      id: ids[i] ?? '',
      parentId: ids[parent] ?? null,
      level,
      text: name,
      charStart,
      charEnd,
      bodyEnd: bodyEnds[i] ?? charEnd,
      blurb,
      tokenEstimate: tokens(charStart, charEnd),
      chunkId: chunks[chunk]?.id ?? null,
    };
  });
  const guardrail = isHuge ? ('huge_document_guardrail' as const) : null;
  return { nodes, digest: digestOf(nodes, truncated, guardrail), truncated, guardrail };
}

function digestOf(nodes: readonly OutlineNode[], truncated: boolean, guardrail: string | null): string {
  const digest = createHash('sha256');
  let seen = `${OUTLINE_BUILD} ${truncated} ${guardrail}`;
  for (const node of nodes) {
    const { id, parentId, level, charStart, charEnd, bodyEnd, tokenEstimate, chunkId } = node;
    seen += `\n${id} ${parentId} ${level} ${charStart} ${charEnd} ${bodyEnd} ${tokenEstimate} ${chunkId}`;
    seen += `\n${node.text}\n${node.blurb}`;
    // One string of everything would take twice as long.
    if (seen.length > DIGEST_PIECE) {
      digest.update(seen);
      seen = '';
    }
  }
  return digest.update(seen).digest('hex').slice(0, 16);
}
