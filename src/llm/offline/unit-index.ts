import { keysOf } from './matching.ts';
import { isNearly } from './typos.ts';
import { type Passage, type Unit, unitsOf } from './units.ts';

/** A unit with the keys of what it says. */
export interface IndexedUnit extends Unit {
  own: ReadonlySet<string>;
  /** What the names of its columns say: of a row as much as its cells. */
  named: ReadonlySet<string>;
  /** What stands above it: headings and the name of the file. */
  around: ReadonlySet<string>;
}

/** Shorter keys are too much like others to be a typing error of one. */
const LEAST_TYPABLE = 5;

/** The units of some passages, ready to be compared with a message. */
export function indexUnits(passages: readonly Passage[]) {
  const units = unitsOf(passages).map(indexed);
  const frequency = new Map<string, number>();
  for (const { own, named, around } of units) {
    for (const key of new Set([...own, ...named, ...around])) {
      frequency.set(key, (frequency.get(key) ?? 0) + 1);
    }
  }
  const known = [...frequency.keys()];

  return {
    units,
    /** What a key counts: next to nothing when most units have it. */
    weight: (key: string): number => Math.log(1 + Math.max(1, units.length) / (frequency.get(key) ?? 1)),
    /** The key that was meant: another one where no unit has it and a single typing error would explain it. */
    meant(key: string): string {
      if (frequency.has(key) || key.length < LEAST_TYPABLE || /\p{N}/u.test(key)) return key;
      return known.find((other) => isNearly(key, other)) ?? key;
    },
  };
}

export type UnitIndex = ReturnType<typeof indexUnits>;

function indexed(unit: Unit): IndexedUnit {
  const { filename, headerPath } = unit.passage;
  return {
    ...unit,
    own: new Set(keysOf(unit.text)),
    named: new Set(keysOf(unit.context)),
    around: new Set(keysOf([filename, ...headerPath].join(' '))),
  };
}
