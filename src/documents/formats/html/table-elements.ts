import { lose } from '../to-markdown/tally.ts';
import { isFilled } from './page-builder.ts';
import { attribute, type Element } from './parse.ts';
import { division, type Handler } from './reading.ts';
import type { SimpleNode } from './simple-node.ts';

const table: Handler = (element, reading) => {
  const { page, survey, tally } = reading;
  if (survey.arranging.has(element)) {
    lose(tally, 'layout');
    return division(element, reading);
  }
  return page.block('TABLE', (block) => {
    if (isFilled(block)) tally.source.tables += 1;
    return isFilled(block);
  });
};

function hasFilledCell(row: SimpleNode): boolean {
  for (let cell = row.firstChild; cell !== null; cell = cell.nextSibling) if (isFilled(cell)) return true;
  return false;
}

const row: Handler = (element, reading) =>
  reading.page.container.nodeName === 'TABLE'
    ? reading.page.block('TR', hasFilledCell)
    : division(element, reading);

/** By the standard; a browser takes no more either. */
const MOST = { colspan: 1_000, rowspan: 65_534 };

/** How many columns or rows a cell takes, where that is more than one. */
function spans(element: Element): Record<string, string> {
  return Object.fromEntries(
    Object.entries(MOST).flatMap(([name, most]) => {
      const count = Math.min(Number.parseInt(attribute(element, name) ?? '', 10), most);
      return count > 1 ? [[name, String(count)]] : [];
    }),
  );
}

const cell: Handler = (element, reading) =>
  reading.page.container.nodeName === 'TR'
    ? reading.page.block(element.tagName.toUpperCase(), () => true, spans(element))
    : division(element, reading);

/** A table takes its place when it ends, so that its caption comes to stand in front of it. */
const caption: Handler = (element, reading) =>
  reading.page.container.nodeName === 'TABLE'
    ? reading.page.reopen(reading.page.aroundTable)
    : division(element, reading);

/** Tables of data; what is in one that arranges the page stands between lines. */
export const TABLE_ELEMENTS: readonly (readonly [names: string, handler: Handler])[] = [
  ['table', table],
  ['tr', row],
  ['td th', cell],
  ['caption', caption],
];
