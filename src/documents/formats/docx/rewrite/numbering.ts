import { child, childValue, elements, integer } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';
import { formatNumber } from './number-format.ts';
import { leftOf } from './styles.ts';

interface Level {
  format: string;
  /** `%1.%2)`: the label, with the numbers of outer levels filled in. */
  text: string;
  start: number;
  /** The level after whose items this one starts again (counted from 1), 0 for never; undefined: any outer one. */
  restart?: number;
  legal: boolean;
  /** Where its text begins, in twentieths of a point from the margin. */
  textAt?: number;
  style?: string;
}

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
}

export interface Numbering {
  /** Counts one more paragraph of that list. Undefined if the list is not defined or the level has no label. */
  next(numId: string, level: number): ListItem | undefined;
  /** The level that a list ties to a paragraph style, for styles that name a list but no level. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

type Levels = Map<number, Level>;

function readLevel(definition: XmlElement): Level {
  const restart = integer(childValue(definition, 'w:lvlRestart'));
  const style = childValue(definition, 'w:pStyle');
  const textAt = leftOf(child(definition, 'w:pPr'));
  return {
    format:
      childValue(definition, 'w:numFmt') ??
      child(definition, 'w:numFmt')?.attributes.get('w:format') ??
      'decimal',
    text: childValue(definition, 'w:lvlText') ?? '',
    start: integer(childValue(definition, 'w:start')) ?? 0,
    legal: child(definition, 'w:isLgl') !== undefined,
    ...(restart === undefined ? {} : { restart }),
    ...(style === undefined ? {} : { style }),
    ...(textAt === undefined ? {} : { textAt }),
  };
}

function readLevels(parent: XmlElement): Levels {
  const levels: Levels = new Map();
  for (const entry of elements(parent)) {
    if (entry.name === 'w:lvl') levels.set(integer(entry.attributes.get('w:ilvl')) ?? 0, readLevel(entry));
  }
  return levels;
}

/** Reads the lists of a document and counts along, as ECMA-376 part 1, 17.9 describes. */
export function readNumbering(
  root: XmlElement | undefined,
  numIdOfStyle: (id: string) => string | undefined,
): Numbering {
  const abstracts = new Map<string, XmlElement>();
  const nums = new Map<string, XmlElement>();
  for (const entry of elements(root)) {
    if (entry.name === 'w:abstractNum') abstracts.set(entry.attributes.get('w:abstractNumId') ?? '', entry);
    if (entry.name === 'w:num') nums.set(entry.attributes.get('w:numId') ?? '', entry);
  }
  const resolved = new Map<string, { abstractId: string; levels: Levels; restarts: Map<number, number> }>();

  const resolve = (
    numId: string,
    depth = 0,
  ): { abstractId: string; levels: Levels; restarts: Map<number, number> } | undefined => {
    const known = resolved.get(numId);
    if (known !== undefined) return known;
    const num = nums.get(numId);
    const abstractId = childValue(num, 'w:abstractNumId') ?? '';
    const abstract = abstracts.get(abstractId);
    if (num === undefined || abstract === undefined) return undefined;
    // A list may only point to a list style, which names the real list.
    const link = childValue(abstract, 'w:numStyleLink');
    const linked = link === undefined || depth > 5 ? undefined : numIdOfStyle(link);
    const base = linked === undefined || linked === numId ? undefined : resolve(linked, depth + 1);
    const list = {
      abstractId: base?.abstractId ?? abstractId,
      levels: new Map(base?.levels ?? readLevels(abstract)),
      restarts: new Map<number, number>(),
    };
    for (const override of elements(num)) {
      if (override.name !== 'w:lvlOverride') continue;
      const level = integer(override.attributes.get('w:ilvl')) ?? 0;
      const definition = child(override, 'w:lvl');
      if (definition !== undefined) list.levels.set(level, readLevel(definition));
      const start = integer(childValue(override, 'w:startOverride'));
      if (start !== undefined) list.restarts.set(level, start);
    }
    resolved.set(numId, list);
    return list;
  };

  /** Per abstract list: the last number of each level; undefined where the level starts anew. */
  const counters = new Map<string, (number | undefined)[]>();
  const restarted = new Set<string>();

  const advance = (
    numId: string,
    level: number,
    list: { abstractId: string; levels: Levels; restarts: Map<number, number> },
  ) => {
    const counts = counters.get(list.abstractId) ?? [];
    counters.set(list.abstractId, counts);
    const restart = list.restarts.get(level);
    const key = `${numId}/${level}`;
    if (restart !== undefined && !restarted.has(key)) {
      restarted.add(key);
      counts[level] = undefined;
    }
    const before = counts[level];
    counts[level] = before === undefined ? (restart ?? list.levels.get(level)?.start ?? 1) : before + 1;
    for (let outer = 0; outer < level; outer += 1) counts[outer] ??= list.levels.get(outer)?.start ?? 1;
    for (let inner = level + 1; inner <= 8; inner += 1) {
      const rule = list.levels.get(inner)?.restart;
      if (rule === undefined || (rule !== 0 && level < rule)) counts[inner] = undefined;
    }
    return counts;
  };

  return {
    next(numId, wanted) {
      const list = resolve(numId);
      const level = Math.min(wanted, 8);
      const definition = list?.levels.get(level);
      if (list === undefined || definition === undefined) return undefined;
      const counts = advance(numId, level, list);
      const number = counts[level] ?? 1;
      const place = definition.textAt === undefined ? {} : { textAt: definition.textAt };
      if (definition.format === 'bullet')
        return { level, ordered: false, label: '', number, simple: true, ...place };
      const label = definition.text.replace(/%([1-9])/g, (_, digit: string) => {
        const index = Number(digit) - 1;
        const format = definition.legal ? 'decimal' : (list.levels.get(index)?.format ?? 'decimal');
        return formatNumber(counts[index] ?? 1, format);
      });
      if (label.trim() === '') return undefined;
      const simple = /^[([]?%[1-9][.):\]]*$/.test(definition.text.trim());
      return { level, ordered: true, label: label.trim(), number, simple, ...place };
    },
    levelOfStyle(numId, styleId) {
      for (const [index, level] of resolve(numId)?.levels ?? []) if (level.style === styleId) return index;
      return undefined;
    },
  };
}
