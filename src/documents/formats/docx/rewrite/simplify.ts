import { lose, type Tally } from '../../to-markdown/tally.ts';
import { child, descendants, element, elements, findAll, ownText } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** Elements that only wrap what they contain. */
const WRAPPERS = new Set([
  'w:ins',
  'w:moveTo',
  'w:smartTag',
  'w:customXml',
  'w:dir',
  'w:bdo',
  'w:sdtContent',
  'w:subDocument',
]);
/** Elements without text of their own; deleted and moved-away text among them, since changes count as accepted. */
const DROPPED = new Set([
  'w:del',
  'w:moveFrom',
  'w:bookmarkEnd',
  'w:permStart',
  'w:permEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:annotationRef',
  'w:footnoteRef',
  'w:endnoteRef',
  'w:separator',
  'w:continuationSeparator',
  'w:delText',
  'w:delInstrText',
  'w:customXmlPr',
]);
const INTERESTING = new Set([
  'w:txbxContent',
  'w:t',
  'pic:pic',
  'm:oMath',
  'c:chart',
  'dgm:relIds',
  'a:t',
  'v:imagedata',
]);

/** Of several renderings of the same thing the first that holds anything a reader of text can use. */
function chooseAlternative(alternatives: XmlElement): XmlElement | undefined {
  const options = elements(alternatives);
  const useful = options.find((option) =>
    [...descendants(option)].some((node) => INTERESTING.has(node.name)),
  );
  return useful ?? options.at(-1);
}

/** The check box of a content control as text, or undefined if it is another kind of control. */
function checkBox(control: XmlElement): XmlElement | undefined {
  const box = child(child(control, 'w:sdtPr'), 'w14:checkbox');
  if (box === undefined) return undefined;
  const value = child(box, 'w14:checked')?.attributes.get('w14:val');
  return element('checkbox', { checked: value === '1' || value === 'true' ? 'yes' : 'no' });
}

function isDeletedRow(row: XmlElement): boolean {
  return child(child(row, 'w:trPr'), 'w:del') !== undefined;
}

/** Whether the mark that ends the paragraph is deleted: it then runs on into the next one. */
function runsOn(paragraph: XmlElement): boolean {
  const mark = child(child(paragraph, 'w:pPr'), 'w:rPr');
  return child(mark, 'w:del') !== undefined || child(mark, 'w:moveFrom') !== undefined;
}

function withoutProperties(paragraph: XmlElement): XmlNode[] {
  return paragraph.children.filter((node) => typeof node === 'string' || node.name !== 'w:pPr');
}

/** A drop cap is a letter, or at most a word. */
const LONGEST_CAP = 30;

/** Whether the paragraph is the large first letter of the next one: Word sets it in a frame of its own. */
function isDropCap(paragraph: XmlElement): boolean {
  const kind = child(child(paragraph, 'w:pPr'), 'w:framePr')?.attributes.get('w:dropCap');
  if (kind !== 'drop' && kind !== 'margin') return false;
  const length = findAll(paragraph, 'w:t').reduce((sum, text) => sum + ownText(text).length, 0);
  return length > 0 && length <= LONGEST_CAP;
}

/** A drop cap's letter is set as the word is that it begins: its size and face are an ornament. */
function setLike(cap: XmlElement, paragraph: XmlElement): void {
  const runs = elements(paragraph).filter((node) => node.name === 'w:r');
  const properties = child(
    runs.find((run) => child(run, 'w:t') !== undefined),
    'w:rPr',
  );
  for (const run of elements(cap)) {
    if (run.name !== 'w:r') continue;
    const content = run.children.filter((node) => typeof node === 'string' || node.name !== 'w:rPr');
    run.children = properties === undefined ? content : [properties, ...content];
  }
}

function joinParagraphs(nodes: XmlNode[]): XmlNode[] {
  const joined: XmlNode[] = [];
  let carried: XmlElement | undefined;
  for (const node of nodes) {
    if (typeof node === 'string' || node.name !== 'w:p') {
      if (carried !== undefined) joined.push(carried);
      carried = undefined;
      joined.push(node);
      continue;
    }
    if (carried !== undefined) {
      if (isDropCap(carried)) setLike(carried, node);
      const properties = node.children.filter((part) => typeof part !== 'string' && part.name === 'w:pPr');
      node.children = [...properties, ...withoutProperties(carried), ...withoutProperties(node)];
      carried = undefined;
    }
    if (runsOn(node) || isDropCap(node)) carried = node;
    else joined.push(node);
  }
  if (carried !== undefined) joined.push(carried);
  return joined;
}

function simplifyChild(node: XmlElement, out: XmlNode[], tally: Tally): void {
  if (DROPPED.has(node.name)) return;
  if (WRAPPERS.has(node.name)) {
    for (const inner of node.children) if (typeof inner !== 'string') simplifyChild(inner, out, tally);
    return;
  }
  switch (node.name) {
    case 'w:pPr':
    case 'w:rPr':
    case 'w:trPr':
    case 'w:tcPr':
      // Properties tell of changes by elements of the same names.
      out.push(node);
      return;
    case 'w:commentReference':
      lose(tally, 'comment');
      return;
    case 'w:altChunk':
    case 'w:subDoc':
      lose(tally, 'embedded_document');
      return;
    case 'mc:AlternateContent': {
      const chosen = chooseAlternative(node);
      for (const inner of elements(chosen)) simplifyChild(inner, out, tally);
      return;
    }
    case 'w:sdt': {
      const box = checkBox(node);
      const content = child(node, 'w:sdtContent');
      // A control around whole paragraphs or cells is a check box within its paragraph, never instead of it.
      const isInline = !elements(content).some((inner) => inner.name === 'w:p' || inner.name === 'w:tc');
      if (box !== undefined && isInline) out.push(element('w:r', {}, [box]));
      else if (content !== undefined) simplifyChild(content, out, tally);
      return;
    }
    case 'w:ruby': {
      const base = child(node, 'w:rubyBase');
      const text = base === undefined ? '' : findAll(base, 'w:t').map(ownText).join('');
      out.push(element('w:t', {}, [text]));
      return;
    }
    case 'w:tr':
      if (isDeletedRow(node)) return;
  }
  simplify(node, tally);
  out.push(node);
}

/**
 * Rewrites a part in place to what a reader sees: tracked changes accepted, wrappers (content controls, smart tags) opened, one
 * rendering chosen where there are several, annotations taken out and counted.
 */
export function simplify(root: XmlElement, tally: Tally): void {
  const out: XmlNode[] = [];
  for (const node of root.children) {
    if (typeof node === 'string') out.push(node);
    else simplifyChild(node, out, tally);
  }
  root.children = out.some((node) => typeof node !== 'string' && node.name === 'w:p')
    ? joinParagraphs(out)
    : out;
}
