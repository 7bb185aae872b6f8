import { child, descendants, element, elements, findAll, integer, ownText } from '../package/dom.ts';
import type { DocxPackage } from '../package/package.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** A chart with more is data that somebody pasted, not something to read. */
const MAX_SERIES = 50;
const MAX_CATEGORIES = 500;

function paragraph(text: string): XmlElement {
  return element('w:p', {}, [element('w:r', {}, [element('w:t', {}, [text])])]);
}

function shownText(node: XmlElement | undefined): string {
  if (node === undefined) return '';
  return findAll(node, 'a:t').map(ownText).join('').replace(/\s+/g, ' ').trim();
}

/** Numbers stand in the file with all digits that a computer's arithmetic leaves: 4.4000000000000004 is 4.4. */
function tidy(value: string): string {
  return /^-?\d+\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;
}

/** The values that a chart keeps of its sheet, by their place. */
function points(node: XmlElement | undefined): Map<number, string> {
  const values = new Map<number, string>();
  if (node === undefined) return values;
  for (const point of findAll(node, 'c:pt')) {
    const index = integer(point.attributes.get('idx'));
    const value = child(point, 'c:v');
    if (index === undefined || index >= MAX_CATEGORIES || value === undefined) continue;
    const text = tidy(ownText(value));
    const earlier = values.get(index);
    // Categories may have several levels: the inner one comes first in the file.
    values.set(index, earlier === undefined ? text : `${text} ${earlier}`);
  }
  return values;
}

function row(cells: readonly string[]): XmlElement {
  return element(
    'w:tr',
    {},
    cells.map((cell) => element('w:tc', {}, [paragraph(cell)])),
  );
}

/** A chart as its title and the table that it was drawn from. */
function chartBlocks(root: XmlElement): XmlNode[] {
  const chart = child(root, 'c:chart');
  const plot = child(chart, 'c:plotArea');
  const kind = elements(plot).find((node) => node.name.endsWith('Chart'));
  const name = kind === undefined ? '' : `${kind.name.slice(2).replace(/(3D)?Chart$/, '')} chart`;
  const title = shownText(child(chart, 'c:title')) || name.charAt(0).toUpperCase() + name.slice(1);
  const series = plot === undefined ? [] : findAll(plot, 'c:ser').slice(0, MAX_SERIES);
  const blocks: XmlNode[] = title === '' ? [] : [paragraph(title)];
  const [first] = series;
  if (first === undefined) return blocks;
  const categories = points(child(first, 'c:cat') ?? child(first, 'c:xVal'));
  const columns = series.map((one) => points(child(one, 'c:val') ?? child(one, 'c:yVal')));
  const names = series.map((one, index) => points(child(one, 'c:tx')).get(0) ?? `Series ${index + 1}`);
  const last = Math.max(-1, ...categories.keys(), ...columns.flatMap((column) => [...column.keys()]));
  if (last < 0) return blocks;
  const rows = Array.from({ length: last + 1 }, (_, index) =>
    row([categories.get(index) ?? String(index + 1), ...columns.map((column) => column.get(index) ?? '')]),
  );
  return [...blocks, element('w:tbl', {}, [row(['', ...names]), ...rows])];
}

/** A diagram (SmartArt) as the texts of its shapes, a paragraph each. */
function diagramBlocks(root: XmlElement): XmlNode[] {
  const blocks: XmlNode[] = [];
  for (const point of descendants(root)) {
    if (point.name !== 'dgm:pt') continue;
    const text = shownText(child(point, 'dgm:t'));
    if (text !== '') blocks.push(paragraph(text));
  }
  return blocks;
}

/** The charts and diagrams of a document, by relationship id, as paragraphs and tables of their words and numbers. */
export async function readGraphics(docx: DocxPackage): Promise<Map<string, XmlNode[]>> {
  const found = new Map<string, XmlNode[]>();
  for (const [id, { type, target, external }] of docx.main.relationships) {
    if (external || (type !== 'chart' && type !== 'diagramData')) continue;
    const part = await docx.part(target);
    if (part === undefined) continue;
    found.set(id, type === 'chart' ? chartBlocks(part.root) : diagramBlocks(part.root));
  }
  return found;
}
