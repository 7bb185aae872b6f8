import type { Postings } from '../../text/postings.ts';
import type { Leaf, Parent } from '../chunking/chunks.ts';
import type { OutlineNode } from '../outline/outline.ts';
import type { Section } from '../structure/section.ts';
import type { PreparedDocument } from './prepare.ts';

/** A part of a prepared document. Reading one message blocks a process for as long as it is large: none is. */
export interface DocumentPiece {
  sections?: Section[];
  parents?: Parent[];
  leaves?: Leaf[];
  postings?: Omit<Postings, 'totalLength' | 'language'>;
  outlineNodes?: OutlineNode[];
}

/** What is left when all pieces are taken away. */
export interface DocumentFrame {
  converted: PreparedDocument['converted'];
  totalLength: number;
  language: Postings['language'];
  outline: Omit<PreparedDocument['outline'], 'nodes'>;
}

const PARENTS_A_PIECE = 50;
const LEAVES_A_PIECE = 200;
const SECTIONS_A_PIECE = 1_000;
const TERMS_A_PIECE = 4_000;
const NODES_A_PIECE = 500;

function* slices<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** A prepared document in parts that are quick to read, in order. */
export function* piecesOf({ document, postings, outline }: PreparedDocument): Generator<DocumentPiece> {
  for (const sections of slices(document.sections, SECTIONS_A_PIECE)) yield { sections };
  for (const parents of slices(document.parents, PARENTS_A_PIECE)) yield { parents };
  for (const leaves of slices(document.leaves, LEAVES_A_PIECE)) yield { leaves };
  for (const outlineNodes of slices(outline.nodes, NODES_A_PIECE)) yield { outlineNodes };
  for (let from = 0; from < postings.terms.length; from += TERMS_A_PIECE) {
    const to = from + TERMS_A_PIECE;
    const { terms, leafCounts, packed } = postings;
    yield {
      postings: {
        terms: terms.slice(from, to),
        leafCounts: leafCounts.slice(from, to),
        packed: packed.slice(from, to),
      },
    };
  }
}

/** Puts the pieces of a document together again. */
export function createAssembly() {
  const document: PreparedDocument['document'] = { sections: [], parents: [], leaves: [] };
  const postings: Required<DocumentPiece>['postings'] = { terms: [], leafCounts: [], packed: [] };
  const nodes: OutlineNode[] = [];
  return {
    add(piece: DocumentPiece): void {
      document.sections.push(...(piece.sections ?? []));
      document.parents.push(...(piece.parents ?? []));
      document.leaves.push(...(piece.leaves ?? []));
      nodes.push(...(piece.outlineNodes ?? []));
      postings.terms.push(...(piece.postings?.terms ?? []));
      postings.leafCounts.push(...(piece.postings?.leafCounts ?? []));
      postings.packed.push(...(piece.postings?.packed ?? []));
    },
    finish({ converted, totalLength, language, outline }: DocumentFrame): PreparedDocument {
      return {
        converted,
        document,
        postings: { ...postings, totalLength, language },
        outline: { ...outline, nodes },
      };
    },
  };
}
