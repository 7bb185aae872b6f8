import type { XmlElement } from '../package/xml.ts';
import type { BoxMark } from './line.ts';
import { type Level, type ListDefinition, readListDefinitions } from './list-definitions.ts';
import { formatNumber } from './number-format.ts';

/** Word has nine levels, counted from 0. */
const DEEPEST = 8;

/** A numbered paragraph's place in its list. */
export interface ListItem {
  /** 0 to 8. */
  level: number;
  ordered: boolean;
  /** What Word prints before the paragraph; empty for a bullet. */
  label: string;
  /** Its number at this level. */
  number: number;
  /** Where its list sets the text, in twentieths of a point from the margin. */
  textAt?: number;
  /** The label is the number and a mark (`3.`, `b)`), without outer numbers or words. */
  simple: boolean;
  /** Its bullet is a check box. */
  box?: BoxMark;
}

export interface Numbering {
  /** Counts one more paragraph of that list. Undefined if the list is not defined or the level has no label. */
  next(numId: string, level: number): ListItem | undefined;
  /** The level that a list ties to a paragraph style, for styles that name a list but no level. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

/** Reads the lists of a document and counts along, as ECMA-376 part 1, 17.9 describes. */
export function readNumbering(
  root: XmlElement | undefined,
  numIdOfStyle: (id: string) => string | undefined,
): Numbering {
  const definitionOf = readListDefinitions(root, numIdOfStyle);
  const count = createCounter();
  return {
    next(numId, wanted) {
      const list = definitionOf(numId);
      const level = Math.min(wanted, DEEPEST);
      const definition = list?.levels.get(level);
      if (list === undefined || definition === undefined) return undefined;
      const counts = count(numId, level, list);
      const number = counts[level] ?? 1;
      const place = definition.textAt === undefined ? {} : { textAt: definition.textAt };
      if (definition.format === 'bullet') {
        const box = definition.box === undefined ? {} : { box: definition.box };
        return { level, ordered: false, label: '', number, simple: true, ...place, ...box };
      }
      const label = labelOf(definition, counts, list);
      if (label === '') return undefined;
      const simple = /^[([]?%[1-9][.):\]]*$/.test(definition.text.trim());
      return { level, ordered: true, label, number, simple, ...place };
    },
    levelOfStyle(numId, styleId) {
      for (const [index, level] of definitionOf(numId)?.levels ?? [])
        if (level.style === styleId) return index;
      return undefined;
    },
  };
}

/** The last number of each level; undefined where the level starts anew. */
type Counts = (number | undefined)[];

/** What Word prints in front of a paragraph: the level's text with the numbers filled in. */
function labelOf({ text, legal }: Level, counts: Counts, { levels }: ListDefinition): string {
  const label = text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    const format = legal ? 'decimal' : (levels.get(index)?.format ?? 'decimal');
    return formatNumber(counts[index] ?? 1, format);
  });
  return label.trim();
}

/** Counts the paragraphs of all lists; lists of one abstract definition count on from each other. */
function createCounter(): (numId: string, level: number, list: ListDefinition) => Counts {
  const counters = new Map<string, Counts>();
  const restarted = new Set<string>();
  return (numId, level, { abstractId, levels, restarts }) => {
    const counts = counters.get(abstractId) ?? [];
    counters.set(abstractId, counts);
    const restart = restarts.get(level);
    const key = `${numId}/${level}`;
    if (restart !== undefined && !restarted.has(key)) {
      restarted.add(key);
      counts[level] = undefined;
    }
    const before = counts[level];
    counts[level] = before === undefined ? (restart ?? levels.get(level)?.start ?? 1) : before + 1;
    for (let outer = 0; outer < level; outer += 1) counts[outer] ??= levels.get(outer)?.start ?? 1;
    for (let inner = level + 1; inner <= DEEPEST; inner += 1) {
      const rule = levels.get(inner)?.restart;
      if (rule === undefined || (rule !== 0 && level < rule)) counts[inner] = undefined;
    }
    return counts;
  };
}
