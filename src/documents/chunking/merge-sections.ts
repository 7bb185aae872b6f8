import type { ParsedSection } from '../structure/section.ts';
import type { Split } from './splits.ts';

/** A section with the splits that it is made of, and their tokens. */
interface SizedSection extends ParsedSection {
  splits: Split[];
  tokens: number;
}

/**
 * What is cut into leaves and parents as one: a section, or consecutive sections that are too short to stand alone.
 */
export interface Unit {
  sections: SizedSection[];
  tokens: number;
}

/**
 * Merges sections that are too short to stand alone. One under the minimum goes together with its next sibling, and
 * when it has none, with the previous one if both fit into a leaf of the target size. A section that is nothing but its
 * heading goes with the section below it, and so does what comes before the first heading. Sections are not merged across
 * levels otherwise: a short section with a heading path of its own is worth more than a full leaf without one.
 */
export function mergeSections(sections: readonly SizedSection[], leafMin: number, target: number): Unit[] {
  const units: Unit[] = [];
  for (const next of sections) {
    const unit = units[units.length - 1];
    if (unit && joins(unit, next, leafMin, units.length === 1)) {
      unit.sections.push(next);
      unit.tokens += next.tokens;
      continue;
    }
    if (unit) mergeBack(units, leafMin, target);
    units.push({ sections: [next], tokens: next.tokens });
  }
  mergeBack(units, leafMin, target);
  return units;
}

function joins(unit: Unit, next: SizedSection, leafMin: number, isFirst: boolean): boolean {
  const last = unit.sections[unit.sections.length - 1];
  if (!last || unit.tokens >= leafMin) return false;
  // Sections of one level with nothing higher between them are siblings.
  if (last.section.level === 0 || next.section.level === last.section.level) return true;
  return isEmpty(unit) && (isFirst || next.section.level > last.section.level);
}

/** The last unit is complete; if it is too short it may still go with the one before. */
function mergeBack(units: Unit[], leafMin: number, target: number): void {
  const unit = units[units.length - 1];
  const before = units[units.length - 2];
  const first = unit?.sections[0];
  const previous = before?.sections[before.sections.length - 1];
  if (!unit || !before || !first || !previous || unit.tokens >= leafMin) return;
  const siblings = first.section.level === previous.section.level && before.tokens + unit.tokens <= target;
  if (!isEmpty(unit) && !siblings) return;
  before.sections.push(...unit.sections);
  before.tokens += unit.tokens;
  units.pop();
}

/** Nothing but headings. */
const isEmpty = ({ sections }: Unit): boolean => !sections.some(({ hasBody }) => hasBody);
