import { countLetters } from '../../to-markdown/letters.ts';
import { lose } from '../../to-markdown/tally.ts';
import { child, element, ownText } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { boxRuns, symbolBox } from './check-boxes.ts';
import type { Context } from './context.ts';
import { readDrawing } from './drawings.ts';
import { PAGE_NUMBER, readField } from './fields.ts';
import { type Line, type Marks, run } from './line.ts';
import {
  isBold,
  isHidden,
  marksOf,
  type RunStyle,
  runPropertiesOf,
  runStyle,
  settle,
  sizeOf,
  symbolRuns,
  textOf,
} from './marks.ts';
import { mathToLatex } from './math.ts';
import type { Style } from './styles.ts';

/** What is gathered about a paragraph while its content is rewritten. */
export interface Gathered {
  line: Line;
  style: Style;
  /** Blocks that hang on the paragraph and come after it: text boxes, charts. */
  after: XmlNode[];
  /** Letters in all, and how many of them are bold; the largest size. */
  letters: number;
  boldLetters: number;
  size: number;
  /** The whole paragraph is code: its text is taken as it is. */
  isCode: boolean;
  /** Runs in a fixed-width face stand out as code: the rest of the paragraph is in another. */
  fontMarksCode: boolean;
  /** It is a heading, whose face is not emphasis. */
  isHeading: boolean;
}

/** Whether text at this point is a field's instruction, which is not shown. */
function inInstruction(context: Context): boolean {
  return context.fields.some((field) => field.result === undefined);
}

/** Whether text at this point is a page's number that is another one on every page. */
function inPageNumber(context: Context): boolean {
  return context.isRepeated && context.fields.some((field) => field.result?.kind === 'page_number');
}

function openTarget(target: string, gathered: Gathered, context: Context): void {
  const id = context.links.idOf(target);
  if (id === undefined && target.length > 1) lose(context.tally, 'link');
  if (id !== undefined) gathered.line.openLink(id);
}

function fieldCharacter(node: XmlElement, gathered: Gathered, context: Context): void {
  const type = node.attributes.get('w:fldCharType');
  const top = context.fields.at(-1);
  if (type === 'begin') {
    context.fields.push({ instruction: '', formData: child(node, 'w:ffData'), result: undefined });
  } else if (type === 'separate' && top !== undefined) {
    top.result = readField(top.instruction, top.formData);
    if (top.result.kind === 'link') openTarget(top.result.target, gathered, context);
  } else if (type === 'end' && top !== undefined) {
    const result = top.result ?? readField(top.instruction, top.formData);
    context.fields.pop();
    if (inInstruction(context)) return;
    if (result.kind === 'link') gathered.line.closeLink();
    if (result.kind === 'checkbox') gathered.line.box(result.checked ? '[x]' : '[ ]');
    if (result.kind === 'page_number' && context.isRepeated) gathered.line.text(PAGE_NUMBER, {});
    if (result.kind === 'choice') gathered.line.text(result.text, {});
  }
}

function drawing(node: XmlElement, gathered: Gathered, context: Context): void {
  const found = readDrawing(node);
  for (const alt of found.images) {
    context.tally.source.images += 1;
    gathered.line.image(alt === '' ? 'Image' : alt);
  }
  for (const id of [...found.charts, ...found.diagrams]) {
    const blocks = context.graphics.get(id);
    if (blocks === undefined) lose(context.tally, 'graphic');
    else for (const block of blocks) gathered.after.push(block);
  }
  if (found.embedded > 0) lose(context.tally, 'embedded_document', found.embedded);
  for (const box of found.boxes) for (const block of box) gathered.after.push(block);
}

function write(text: string, style: RunStyle, marks: Marks, gathered: Gathered): void {
  const letters = countLetters(text);
  gathered.letters += letters;
  if (letters > 0) {
    if (isBold(style)) gathered.boldLetters += letters;
    gathered.size = Math.max(gathered.size, sizeOf(style));
  }
  if (gathered.isCode) gathered.line.text(text, {});
  else {
    const settled = settle(text, marks);
    for (const piece of boxRuns(settled.text)) {
      if (typeof piece === 'string') gathered.line.text(piece, settled.marks);
      else gathered.line.box(piece.mark, run(piece.sign));
    }
  }
}

function writeSymbol(node: XmlElement, { line }: Gathered): void {
  const mark = symbolBox(node.attributes.get('w:font'), node.attributes.get('w:char'));
  if (mark === undefined) line.symbol(node);
  else line.box(mark, element('w:r', {}, [node]));
}

function rewriteRun(node: XmlElement, gathered: Gathered, context: Context): void {
  const style = runStyle(runPropertiesOf(node), gathered.style, context.styles);
  const hidden = isHidden(style);
  const marks = marksOf(style, gathered.fontMarksCode);
  if (gathered.isHeading) delete marks.bold;
  for (const part of node.children) {
    if (typeof part === 'string') continue;
    if (part.name === 'w:fldChar') {
      fieldCharacter(part, gathered, context);
      continue;
    }
    if (inInstruction(context)) {
      const top = context.fields.at(-1);
      if (part.name === 'w:instrText' && top !== undefined) top.instruction += ownText(part);
      continue;
    }
    if (inPageNumber(context)) continue;
    if (hidden) {
      if (part.name === 'w:t' && ownText(part).trim() !== '') lose(context.tally, 'hidden_text');
      continue;
    }
    rewriteContent(part, style, marks, gathered, context);
  }
}

/** Writes one element of a run onto the paragraph's line; what is not known shows nothing. */
function rewriteContent(
  node: XmlElement,
  style: RunStyle,
  marks: Marks,
  gathered: Gathered,
  context: Context,
): void {
  const { line } = gathered;
  switch (node.name) {
    case 'w:t':
      for (const piece of symbolRuns(textOf(node), style.own.font ?? style.style.font)) {
        if (typeof piece === 'string') write(piece, style, marks, gathered);
        else writeSymbol(piece, gathered);
      }
      break;
    case 'w:tab':
    case 'w:ptab':
      line.text('\t', gathered.isCode ? {} : marks);
      break;
    case 'w:br':
    case 'w:cr': {
      const type = node.attributes.get('w:type');
      if (gathered.isCode) line.text('\n', {});
      else if (type === undefined || type === 'textWrapping') line.lineBreak();
      else line.text(' ', marks);
      break;
    }
    case 'w:noBreakHyphen':
      write('\u2011', style, marks, gathered);
      break;
    case 'w:sym':
      writeSymbol(node, gathered);
      break;
    case 'w:footnoteReference':
    case 'w:endnoteReference':
      noteReference(node, gathered, context);
      break;
    case 'checkbox':
      line.box(node.attributes.get('checked') === 'yes' ? '[x]' : '[ ]');
      break;
    case 'w:drawing':
    case 'w:pict':
    case 'w:object':
      drawing(node, gathered, context);
      break;
  }
}

function noteReference(node: XmlElement, gathered: Gathered, context: Context): void {
  const kind = node.name === 'w:footnoteReference' ? 'footnote' : 'endnote';
  const id = node.attributes.get('w:id') ?? '';
  if (!context.hasNote(kind, id)) return;
  context.tally.source.footnotes += 1;
  gathered.line.note(kind, id);
}

function equations(node: XmlElement, gathered: Gathered): void {
  const display = node.name === 'm:oMathPara';
  const found = display
    ? node.children.filter((part) => typeof part !== 'string' && part.name === 'm:oMath')
    : [node];
  for (const equation of found) {
    const latex = typeof equation === 'string' ? '' : mathToLatex(equation);
    if (latex === '') continue;
    if (display && !gathered.line.isEmpty) gathered.line.lineBreak();
    else if (gathered.line.plain.endsWith('\ufffc')) gathered.line.text(' ', {});
    gathered.line.raw(display ? `$$${latex}$$` : `$${latex}$`);
  }
}

/** Rewrites the content of a paragraph (or of a link or field in it) onto the paragraph's line. */
export function rewriteInline(nodes: readonly XmlNode[], gathered: Gathered, context: Context): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    switch (node.name) {
      case 'w:r':
        rewriteRun(node, gathered, context);
        break;
      case 'w:hyperlink': {
        const address = context.links.targetOf(node.attributes.get('r:id')) ?? '';
        const anchor = node.attributes.get('w:anchor');
        openTarget(anchor === undefined ? address : `${address}#${anchor}`, gathered, context);
        rewriteInline(node.children, gathered, context);
        gathered.line.closeLink();
        break;
      }
      case 'w:fldSimple': {
        const result = readField(node.attributes.get('w:instr') ?? '');
        if (result.kind === 'page_number' && context.isRepeated) {
          gathered.line.text(PAGE_NUMBER, {});
          break;
        }
        if (result.kind === 'link') openTarget(result.target, gathered, context);
        rewriteInline(node.children, gathered, context);
        if (result.kind === 'link') gathered.line.closeLink();
        break;
      }
      case 'w:bookmarkStart':
        context.bookmarks.push(node.attributes.get('w:name') ?? '');
        break;
      case 'm:oMath':
      case 'm:oMathPara':
        equations(node, gathered);
        break;
    }
  }
}

/** A field that a former paragraph began as a link goes on in this one. */
export function resumeLink(gathered: Gathered, context: Context): void {
  const open = context.fields.findLast((field) => field.result?.kind === 'link');
  if (open?.result?.kind === 'link' && !inInstruction(context))
    openTarget(open.result.target, gathered, context);
}
