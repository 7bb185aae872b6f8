import { attribute, type Element, type Leave } from './parse.ts';

/** A table or list that is open, and what was seen in it. */
interface Grid {
  element: Element;
  /** Headings, or tables in a table: what is in such a cell or item is no cell and no item. */
  holdsStructure: boolean;
  rows: number;
  cellsInRow: number;
  /** Most cells in a row. */
  columns: number;
  /** Whether something says that it is data: a header, a caption. */
  isLabelled: boolean;
}

const LISTS = new Set(['dir', 'dl', 'menu', 'ol', 'ul']);
const isTable = (element: Element): boolean => element.tagName === 'table';

/**
 * A table whose cells hold headings or tables arranges the page, and so does one of a single cell, or of a single column
 * where nothing says that it is data. A list whose items hold headings is a row of sections.
 */
function arranges({ element, holdsStructure, columns, rows, isLabelled }: Grid): boolean {
  if (holdsStructure) return true;
  if (!isTable(element)) return false;
  if (['presentation', 'none'].includes(attribute(element, 'role') ?? '')) return true;
  return columns <= 1 && !(isLabelled && rows > 1);
}

function note(grid: Grid, { tagName }: Element): void {
  if (/^h[1-6]$/.test(tagName)) grid.holdsStructure = true;
  if (tagName === 'caption' || tagName === 'th') grid.isLabelled = true;
  if (tagName === 'tr') {
    grid.rows += 1;
    grid.cellsInRow = 0;
  }
  if (tagName === 'td' || tagName === 'th') {
    grid.cellsInRow += 1;
    grid.columns = Math.max(grid.columns, grid.cellsInRow);
  }
}

/** Finds the tables and lists that arrange the page, while it is walked over. */
export function createGridFinder(): {
  arranging: Set<Element>;
  element(element: Element): Leave | undefined;
} {
  const arranging = new Set<Element>();
  const open: Grid[] = [];
  return {
    arranging,
    element(element) {
      const around = open.at(-1);
      if (around) note(around, element);
      if (!isTable(element) && !LISTS.has(element.tagName)) return undefined;
      if (around && isTable(around.element) && isTable(element)) around.holdsStructure = true;
      const grid = { element, holdsStructure: false, rows: 0, cellsInRow: 0, columns: 0, isLabelled: false };
      open.push(grid);
      return () => {
        open.pop();
        if (arranges(grid)) arranging.add(element);
        // What is a section cannot stand in a cell or an item.
        if (around && grid.holdsStructure) around.holdsStructure = true;
      };
    },
  };
}
