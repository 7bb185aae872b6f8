import { element } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { joinCode } from './code-lines.ts';
import type { Context } from './context.ts';
import { createNesting, endLists } from './nesting.ts';
import { rewriteParagraph } from './paragraph.ts';
import { rewriteTable } from './table.ts';

/**
 * Rewrites paragraphs and tables into the plain form that mammoth converts without loss.
 *
 * @param isBody whether they are the document's own: only there are headings headings
 */
export function rewriteBlocks(nodes: readonly XmlNode[], context: Context, isBody: boolean): XmlNode[] {
  const out: XmlNode[] = [];
  const nesting = createNesting();
  const add = (node: XmlElement) => {
    const { paragraphs, after } = rewriteParagraph(node, nesting, context, isBody);
    out.push(...paragraphs);
    if (after.length === 0) return;
    endLists(nesting);
    for (const block of rewriteBlocks(after, context, false)) out.push(block);
  };
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if (node.name === 'w:p') add(node);
    else if (node.name === 'm:oMath' || node.name === 'm:oMathPara') add(element('w:p', {}, [node]));
    else if (node.name === 'w:tbl') {
      endLists(nesting);
      for (const block of rewriteTable(node, context, isBody, rewriteBlocks)) out.push(block);
    }
  }
  return joinCode(out);
}
