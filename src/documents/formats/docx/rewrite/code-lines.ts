import { child, childValue, elements, findAll, ownText } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { run } from './line.ts';
import { isMonospaced, looksLikeCode, runPropertiesOf, runStyle } from './marks.ts';
import { contentOf, paragraphElement, styleOf } from './paragraph-element.ts';
import type { Style, StyleSheet } from './styles.ts';

/** Whether text in a fixed-width face is rare enough in a document to mean something. */
export function fontMarksCode(body: XmlElement, styles: StyleSheet): boolean {
  let all = 0;
  let fixed = 0;
  for (const node of findAll(body, 'w:p')) {
    const style = styles.paragraph(childValue(child(node, 'w:pPr'), 'w:pStyle'));
    for (const part of elements(node)) {
      if (part.name !== 'w:r') continue;
      const length = elements(part).reduce(
        (sum, text) => sum + (text.name === 'w:t' ? ownText(text).length : 0),
        0,
      );
      all += length;
      if (isMonospaced(runStyle(runPropertiesOf(part), style, styles))) fixed += length;
    }
  }
  return fixed > 0 && fixed * 2 < all;
}

/** How the letters of a paragraph are set: all, some or none of them in a fixed-width face. */
export function fixedWidth(
  node: XmlElement,
  style: Style,
  styles: StyleSheet,
): { all: boolean; some: boolean; plain: boolean } {
  const runs = findAll(node, 'w:r').filter((part) =>
    elements(part).some((text) => text.name === 'w:t' && ownText(text).trim() !== ''),
  );
  const set = runs.map((part) => runStyle(runPropertiesOf(part), style, styles));
  const fixed = set.filter(isMonospaced);
  const plain = set.every((one) => !(one.own.bold || one.own.italic));
  return { all: fixed.length > 0 && fixed.length === set.length, some: fixed.length > 0, plain };
}

/** Lines of code that follow one another are one block; lines that only look like code in their face stay paragraphs. */
export function joinCode(blocks: XmlNode[]): XmlNode[] {
  const joined: XmlNode[] = [];
  let lines: XmlElement[] = [];
  const flush = () => {
    const text = lines.map((line) => findAll(line, 'w:t').map(ownText).join('')).join('\n');
    const isCode = lines.some((line) => styleOf(line) === 'code') || looksLikeCode(text);
    if (!isCode) for (const line of lines) joined.push(paragraphElement(undefined, contentOf(line)));
    else if (lines.length > 0) {
      const content = lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [run('\n')]),
        ...contentOf(line),
      ]);
      joined.push(paragraphElement('code', content));
    }
    lines = [];
  };
  for (const block of blocks) {
    const style = styleOf(block);
    if (typeof block !== 'string' && (style === 'code' || style === 'maybe-code')) lines.push(block);
    else {
      flush();
      joined.push(block);
    }
  }
  flush();
  return joined;
}
