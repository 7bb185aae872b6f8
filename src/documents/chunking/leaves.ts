import { trimRange } from '../../text/lines.ts';
import type { Unit } from './merge-sections.ts';
import { cutSequence } from './split-points.ts';
import type { Atom } from './splits.ts';
import { softLeafMaximum } from './target-leaf-size.ts';

/** A run of a unit's atoms: a leaf without its names. */
export interface LeafRun {
  /** Offsets of its own text, without white space around it. */
  start: number;
  end: number;
  /** The table header that is repeated in front of it. */
  header: { start: number; end: number } | null;
  /** Tokens of its text, the repeated header included. */
  tokens: number;
  /** Tokens of its stretch of the document, the white space behind it included. */
  size: number;
  oversized: boolean;
  /** How good a place for a parent to start, and its fingerprint. */
  strength: number;
  hash: number;
}

interface LeafLimits {
  leafMin: number;
  leafMax: number;
  parentMax: number;
}

/** Cuts a unit into leaves: one of what is up to the soft maximum, several of what is longer. */
export function leafRuns(text: string, unit: Unit, { leafMin, leafMax, parentMax }: LeafLimits): LeafRun[] {
  const atoms = unit.sections.flatMap((section) => section.atoms);
  const soft = softLeafMaximum({ leafMin, leafMax });
  const limits = { min: leafMin, high: soft, max: leafMax, hardMax: parentMax };
  const starts = unit.tokens <= soft ? [0] : cutSequence(atoms, limits);
  const runs: LeafRun[] = [];
  starts.forEach((from, i) => {
    const run = runOf(text, atoms.slice(from, starts[i + 1] ?? atoms.length), leafMax);
    if (run) runs.push(run);
  });
  return runs;
}

function runOf(text: string, atoms: readonly Atom[], leafMax: number): LeafRun | null {
  const first = atoms[0];
  const last = atoms[atoms.length - 1];
  if (!first || !last) return null;
  const { start, end } = trimRange(text, first.start, last.end);
  if (start === end) return null;
  const size = atoms.reduce((sum, atom) => sum + atom.size, 0);
  const tokens = first.lead + size;
  return {
    start,
    end,
    header: first.header,
    tokens,
    size,
    oversized: tokens > leafMax || atoms.some(({ cut }) => cut),
    strength: first.strength,
    hash: first.hash,
  };
}
