import { lose } from '../to-markdown/tally.ts';
import { isFilled } from './page-builder.ts';
import { attribute, type Element, type Leave } from './parse.ts';
import { division, type Handler, type Reading } from './reading.ts';
import { SimpleNode } from './simple-node.ts';

const isList = (block: SimpleNode): boolean => block.nodeName === 'UL' || block.nodeName === 'OL';

const list =
  (name: 'UL' | 'OL'): Handler =>
  (element, reading) => {
    if (!reading.survey.arranging.has(element)) {
      const start = attribute(element, 'start');
      return reading.page.block(name, isFilled, start === undefined ? undefined : { start });
    }
    lose(reading.tally, 'layout');
    return division(element, reading);
  };

/** A number in front of an item has at most nine digits in Markdown, and the items behind it count on. */
const HIGHEST_NUMBER = 900_000_000;

/** The number of an item that does not follow from the one before it. */
function numberOf(element: Element, list: SimpleNode): number | undefined {
  const first = list.lastChild === null ? list.getAttribute('start') : null;
  const given = attribute(element, 'value') ?? first;
  if (list.nodeName !== 'OL' || given === null || !/^\s*\d{1,9}\s*$/.test(given)) return undefined;
  const number = Number(given);
  return number <= HIGHEST_NUMBER ? number : undefined;
}

function openItem({ page, tally }: Reading, element: Element): Leave {
  const number = numberOf(element, page.container);
  return page.block('LI', (item) => {
    if (!isFilled(item)) return false;
    if (number !== undefined) item.prepend(SimpleNode.span('label', String(number)));
    tally.source.list_items += 1;
    return true;
  });
}

/** An item outside of any list is a list of its own. */
function inList({ page }: Reading, open: () => Leave): Leave {
  if (isList(page.container)) return open();
  const leaveList = page.block('UL');
  // Where blocks nest too deeply there is no list now either.
  const leave = isList(page.container) ? open() : undefined;
  return () => {
    leave?.();
    leaveList();
  };
}

/** Whether what stands in this element stands in a list that only arranges the page. */
function isArranged(element: Element, { survey }: Reading): boolean {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent && survey.arranging.has(parent);
}

const item: Handler = (element, reading) =>
  isArranged(element, reading)
    ? division(element, reading)
    : inList(reading, () => openItem(reading, element));

/** A term is the beginning of an item, and what follows says what it means. */
const term: Handler = (element, reading) => {
  if (isArranged(element, reading)) return division(element, reading);
  const leaveItem = inList(reading, () => openItem(reading, element));
  const leaveMark = reading.page.line.mark('STRONG');
  return () => {
    leaveMark?.();
    leaveItem();
  };
};

const meaning: Handler = (element, reading) => {
  const { container } = reading.page;
  const before = isList(container) ? container.lastChild : null;
  return before === null ? item(element, reading) : reading.page.reopen(before);
};

/** Lists of all kinds. */
export const LIST_ELEMENTS: readonly (readonly [names: string, handler: Handler])[] = [
  ['dir dl menu ul', list('UL')],
  ['ol', list('OL')],
  ['li', item],
  ['dt', term],
  ['dd', meaning],
];
