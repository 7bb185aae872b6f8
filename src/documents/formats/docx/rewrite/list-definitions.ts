import { child, childValue, elements, integer } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';
import { bulletBox } from './check-boxes.ts';
import type { BoxMark } from './line.ts';
import { leftOf, readRunProperties } from './styles.ts';

/** A list that points to another one further than this is read as it stands. */
const MOST_LINKS = 5;

/** How a list sets one of its levels. */
export interface Level {
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
  /** Its bullet is a check box. */
  box?: BoxMark;
}

/** A list as it is defined: its levels by number, from 0. */
export interface ListDefinition {
  /** Lists of one abstract definition count on from each other. */
  abstractId: string;
  levels: ReadonlyMap<number, Level>;
  /** Levels that start anew in this list, and with which number. */
  restarts: ReadonlyMap<number, number>;
}

function readLevel(definition: XmlElement): Level {
  const restart = integer(childValue(definition, 'w:lvlRestart'));
  const style = childValue(definition, 'w:pStyle');
  const textAt = leftOf(child(definition, 'w:pPr'));
  const text = childValue(definition, 'w:lvlText') ?? '';
  const box = bulletBox(text, readRunProperties(child(definition, 'w:rPr')).font);
  return {
    format:
      childValue(definition, 'w:numFmt') ??
      child(definition, 'w:numFmt')?.attributes.get('w:format') ??
      'decimal',
    text,
    start: integer(childValue(definition, 'w:start')) ?? 0,
    legal: child(definition, 'w:isLgl') !== undefined,
    ...(restart === undefined ? {} : { restart }),
    ...(style === undefined ? {} : { style }),
    ...(textAt === undefined ? {} : { textAt }),
    ...(box === undefined ? {} : { box }),
  };
}

function readLevels(parent: XmlElement): Map<number, Level> {
  const levels = new Map<number, Level>();
  for (const entry of elements(parent)) {
    if (entry.name === 'w:lvl') levels.set(integer(entry.attributes.get('w:ilvl')) ?? 0, readLevel(entry));
  }
  return levels;
}

/**
 * Reads the lists of a document, each when it is asked for first.
 *
 * @param numIdOfStyle the list that a list style names
 * @returns the definition of a list by its `w:numId`; undefined where there is none
 */
export function readListDefinitions(
  root: XmlElement | undefined,
  numIdOfStyle: (id: string) => string | undefined,
): (numId: string) => ListDefinition | undefined {
  const abstracts = new Map<string, XmlElement>();
  const nums = new Map<string, XmlElement>();
  for (const entry of elements(root)) {
    if (entry.name === 'w:abstractNum') abstracts.set(entry.attributes.get('w:abstractNumId') ?? '', entry);
    if (entry.name === 'w:num') nums.set(entry.attributes.get('w:numId') ?? '', entry);
  }
  const resolved = new Map<string, ListDefinition>();

  const resolve = (numId: string, depth = 0): ListDefinition | undefined => {
    const known = resolved.get(numId);
    if (known !== undefined) return known;
    const num = nums.get(numId);
    const abstractId = childValue(num, 'w:abstractNumId') ?? '';
    const abstract = abstracts.get(abstractId);
    if (num === undefined || abstract === undefined) return undefined;
    // A list may only point to a list style, which names the real list.
    const link = childValue(abstract, 'w:numStyleLink');
    const linked = link === undefined || depth > MOST_LINKS ? undefined : numIdOfStyle(link);
    const base = linked === undefined || linked === numId ? undefined : resolve(linked, depth + 1);
    const list = overridden(num, base?.levels ?? readLevels(abstract), base?.abstractId ?? abstractId);
    resolved.set(numId, list);
    return list;
  };
  return resolve;
}

/** A list with what it changes of the levels that it is made from. */
function overridden(
  num: XmlElement,
  inherited: ReadonlyMap<number, Level>,
  abstractId: string,
): ListDefinition {
  const levels = new Map(inherited);
  const restarts = new Map<number, number>();
  for (const override of elements(num)) {
    if (override.name !== 'w:lvlOverride') continue;
    const level = integer(override.attributes.get('w:ilvl')) ?? 0;
    const definition = child(override, 'w:lvl');
    if (definition !== undefined) levels.set(level, readLevel(definition));
    const start = integer(childValue(override, 'w:startOverride'));
    if (start !== undefined) restarts.set(level, start);
  }
  return { abstractId, levels, restarts };
}
