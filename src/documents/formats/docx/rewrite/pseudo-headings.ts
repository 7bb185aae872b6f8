import { child, element, findAll } from '../package/dom.ts';
import type { OutlineParagraph } from './context.ts';
import { run } from './line.ts';

/** A heading is short: a longer bold paragraph is a warning or an abstract. */
const MAX_LENGTH = 120;
/** More bold lines in a row are an address or a list, not headings. */
const MAX_IN_A_ROW = 3;

function isCandidate(paragraphs: readonly OutlineParagraph[], index: number): boolean {
  const paragraph = paragraphs[index];
  if (paragraph === undefined || !paragraph.bold || paragraph.inContents) return false;
  const text = paragraph.text.trim();
  if (text.length > MAX_LENGTH || text.includes('\n') || !/\p{L}/u.test(text) || /[.;,!]$/.test(text))
    return false;
  if (paragraph.kind === 'plain') return true;
  // "1. Introduction" may be a numbered paragraph: it is a heading unless its list goes on at once.
  const next = paragraphs[index + 1];
  return (
    paragraph.kind === 'list' &&
    paragraph.label !== '' &&
    next !== undefined &&
    next.numId !== paragraph.numId
  );
}

function depthOfNumber(paragraph: OutlineParagraph): number {
  const number = /^(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?(\s|$)/.exec(
    paragraph.label || paragraph.text.trim(),
  )?.[1];
  return number === undefined ? 0 : number.split('.').length - 1;
}

function makeHeading(paragraph: OutlineParagraph, level: number): void {
  const node = paragraph.element;
  if (node === undefined) return;
  const content = node.children.filter((part) => typeof part === 'string' || part.name !== 'w:pPr');
  const labelled = content.filter((part) => {
    const style = typeof part === 'string' ? undefined : child(child(part, 'w:rPr'), 'w:rStyle');
    return style?.attributes.get('w:val') !== 'label';
  });
  if (labelled.length < content.length) labelled.unshift(run(`${paragraph.label} `));
  node.children = [element('w:pPr', {}, [element('w:pStyle', { 'w:val': `h${level}` })]), ...labelled];
  for (const properties of findAll(node, 'w:rPr')) {
    properties.children = properties.children.filter(
      (part) => typeof part === 'string' || part.name !== 'w:b',
    );
  }
  paragraph.kind = 'heading';
}

/**
 * Many business documents have no headings, only short lines in bold. In a document without real headings these are
 * promoted: a larger face is a higher level, and so is a shorter number ("2" over "2.1").
 *
 * @returns how many were promoted
 */
export function promotePseudoHeadings(paragraphs: readonly OutlineParagraph[]): number {
  if (paragraphs.some((paragraph) => paragraph.kind === 'heading')) return 0;
  const candidates = new Set<OutlineParagraph>();
  let row: OutlineParagraph[] = [];
  for (const [index, paragraph] of paragraphs.entries()) {
    if (isCandidate(paragraphs, index)) row.push(paragraph);
    else {
      // What has nothing under it is no heading: the last in a row must be followed by other content.
      if (row.length <= MAX_IN_A_ROW) for (const one of row) candidates.add(one);
      row = [];
    }
  }
  const filled = paragraphs.filter((paragraph) => paragraph.text.trim() !== '').length;
  if (candidates.size * 2 > filled + 1) return 0;
  const sizes = [...new Set([...candidates].map((one) => one.size))].sort((a, b) => b - a);
  const top = sizes.length > 1 ? 1 : 2;
  for (const one of candidates) {
    const rank = Math.min(sizes.indexOf(one.size), 2);
    makeHeading(one, Math.min(top + rank + depthOfNumber(one), 6));
  }
  return candidates.size;
}
