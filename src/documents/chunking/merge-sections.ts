import type { ParsedSection } from '../structure/section.ts';
import type { Atom } from './splits.ts';

/** A section cut down to atoms. */
interface SizedSection extends ParsedSection {
  atoms: Atom[];
  tokens: number;
}

/** Consecutive sections that are sized as one: nearly always a single section. */
export interface Unit {
  sections: SizedSection[];
  tokens: number;
}

/**
 * Merges sections that are too short to stand alone. One under the minimum goes together with its next sibling, and
 * when it has none, with the previous one if both fit into a leaf. A section that is nothing but its heading goes with
 * the section below it, and so does what comes before the first heading. Sections are not merged across levels
 * otherwise: a short section with a heading path of its own is worth more than a full leaf without one.
 */
export function mergeSections(sections: readonly SizedSection[], leafMin: number, leafMax: number): Unit[] {
  const units: Unit[] = [];
  for (const next of sections) {
    const unit = units[units.length - 1];
    if (unit && joins(unit, next, leafMin, units.length === 1)) {
      unit.sections.push(next);
      unit.tokens += next.tokens;
      continue;
    }
    if (unit) mergeBack(units, leafMin, leafMax);
    units.push({ sections: [next], tokens: next.tokens });
  }
  mergeBack(units, leafMin, leafMax);
  return units;
}

function joins(unit: Unit, next: SizedSection, leafMin: number, isFirst: boolean): boolean {
  const last = unit.sections[unit.sections.length - 1];
  if (!last || unit.tokens >= leafMin) return false;
  // sections of one level with nothing higher between them are siblings
  if (last.section.level === 0 || next.section.level === last.section.level) return true;
  return isEmpty(unit) && (isFirst || next.section.level > last.section.level);
}

/** The last unit is complete; if it is too short it may still go with the one before. */
function mergeBack(units: Unit[], leafMin: number, leafMax: number): void {
  const unit = units[units.length - 1];
  const before = units[units.length - 2];
  const first = unit?.sections[0];
  const previous = before?.sections[before.sections.length - 1];
  if (!unit || !before || !first || !previous || unit.tokens >= leafMin) return;
  const siblings = first.section.level === previous.section.level && before.tokens + unit.tokens <= leafMax;
  if (!isEmpty(unit) && !siblings) return;
  before.sections.push(...unit.sections);
  before.tokens += unit.tokens;
  units.pop();
}

/** Nothing but headings. */
const isEmpty = ({ sections }: Unit): boolean => !sections.some(({ hasBody }) => hasBody);

/**
 * The heading path of a stretch of a unit: what the paths of the sections in it have in common. Sections that are
 * only a heading, and what stands before the first heading, count only if there is nothing else.
 */
export function commonPath(sections: readonly ParsedSection[], start: number, end: number): string[] {
  const touched = touchedBy(sections, start, end);
  const named = touched.filter(({ section }) => section.level > 0);
  const filled = named.filter(({ hasBody }) => hasBody);
  const paths = (filled.length > 0 ? filled : named).map(({ section }) => section.headerPath);
  const [first = [], ...others] = paths;
  let length = first.length;
  for (const path of others) {
    let shared = 0;
    while (shared < length && path[shared] === first[shared]) shared++;
    length = shared;
  }
  return first.slice(0, length);
}

/** The sections that a range has a part in; they are in document order, and there may be thousands of them. */
function touchedBy(sections: readonly ParsedSection[], start: number, end: number): ParsedSection[] {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle]?.section.charEnd ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((sections[last]?.section.charStart ?? end) < end) last++;
  return sections.slice(low, last);
}
