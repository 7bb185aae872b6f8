import { codeBlock, createMarkers, heading, listItem, quote } from '../to-markdown/blocks.ts';
import { escapeText, unescapeNumber } from '../to-markdown/escape.ts';
import { childNodes, type HtmlNode, hasClass } from '../to-markdown/html-node.ts';
import { emphasised, image, inlineCode, link } from '../to-markdown/inline.ts';
import { countLetters } from '../to-markdown/letters.ts';
import { cellLine, fitsGfm, gfmTable, htmlTable } from '../to-markdown/tables.ts';

const TEXT = 3;
/** A rule of dashes at the start of a text would be the beginning of front matter. */
const RULE = '***';
const EMPHASIS: Readonly<Record<string, string>> = { STRONG: '**', EM: '*', S: '~~' };
const LISTS = new Set(['UL', 'OL']);

/** Writes a simplified page as Markdown. Simplified pages are shallow, so that this may call itself. */
export function writeMarkdown(root: HtmlNode): string {
  const marker = createMarkers();

  function blocks(parent: HtmlNode): string {
    let text = '';
    let previous: HtmlNode | undefined;
    for (const node of childNodes(parent)) {
      const written = block(node);
      if (written === '') continue;
      // An item's own list follows its line at once.
      const isTight = parent.nodeName === 'LI' && LISTS.has(node.nodeName) && previous?.nodeName === 'P';
      if (previous !== undefined) text += isTight ? '\n' : '\n\n';
      text += written;
      previous = node;
    }
    return text;
  }

  function block(node: HtmlNode): string {
    switch (node.nodeName) {
      case 'P':
        return inline(node);
      case 'UL':
      case 'OL':
        return [...childNodes(node)].map((item) => listItem(marker(item), blocks(item))).join('\n');
      case 'PRE':
        return codeBlock(node.textContent ?? '', node.getAttribute('language') ?? '');
      case 'BLOCKQUOTE':
        return quote(blocks(node));
      case 'TABLE':
        return fitsGfm(node)
          ? gfmTable(node, (cell) => cellLine(unescapeNumber(blocks(cell))))
          : htmlTable(node);
      case 'HR':
        return RULE;
      default:
        return /^H[1-6]$/.test(node.nodeName) ? heading(Number(node.nodeName[1]), inline(node)) : '';
    }
  }

  return blocks(root);
}

function inline(parent: HtmlNode, write = escapeText): string {
  const pieces: string[] = [];
  for (const node of childNodes(parent)) {
    const piece = node.nodeType === TEXT ? write(node.nodeValue ?? '') : span(node, write);
    pieces.push(closed(pieces.pop() ?? '', piece), piece);
  }
  return pieces.join('');
}

/** A text in front of other text, with which it makes no link and no picture. */
function closed(text: string, next: string): string {
  if (next.startsWith('[') && text.endsWith('!')) return `${text.slice(0, -1)}\\!`;
  return /^[[(:]/.test(next) ? text.replace(/(?<!\\)\]$/, '\\]') : text;
}

/** In a link a bracket could end it. */
function escapeInLink(text: string): string {
  return escapeText(text).replace(/\\.|[[\]]/gs, (found) => (found.length > 1 ? found : `\\${found}`));
}

function span(node: HtmlNode, write: typeof escapeText): string {
  if (hasClass(node, 'image')) return image(node.textContent ?? '');
  switch (node.nodeName) {
    case 'BR':
      return '  \n';
    case 'CODE':
      return inlineCode(node.textContent ?? '');
    case 'A':
      return anchor(node);
    case 'SUP':
    case 'SUB':
      return raised(node, inline(node, write));
    default:
      return emphasis(node, inline(node, write));
  }
}

function raised(node: HtmlNode, content: string): string {
  const tag = node.nodeName.toLowerCase();
  return content.trim() === '' ? content : `<${tag}>${content}</${tag}>`;
}

/** White space at the ends goes outside, as emphasis neither begins nor ends with any. */
function aroundSpace(
  content: string,
  write: (trimmed: string, lead: string, trail: string) => string,
): string {
  const trimmed = content.trim();
  if (trimmed === '') return content;
  const start = content.indexOf(trimmed);
  const lead = content.slice(0, start);
  const trail = content.slice(start + trimmed.length);
  return lead + write(trimmed, lead, trail) + trail;
}

/** What stands next to an element in its line, in emphasis around it or not. */
function neighbour(node: HtmlNode, side: 'previousSibling' | 'nextSibling'): HtmlNode | undefined {
  for (let here: HtmlNode | null = node; here !== null; here = here.parentNode) {
    if (here[side] !== null) return here[side];
    if (here.parentNode === null || !(here.parentNode.nodeName in EMPHASIS)) return undefined;
  }
  return undefined;
}

function emphasis(node: HtmlNode, content: string): string {
  const before = neighbour(node, 'previousSibling');
  const own = (node.textContent ?? '').trim();
  return aroundSpace(content, (trimmed, lead, trail) => {
    const left = lead || (before?.textContent ?? '');
    const right = trail || (neighbour(node, 'nextSibling')?.textContent ?? '');
    // Signs of one emphasis and of the next would run into each other, and so would signs of the text.
    const isNextToAnother = lead === '' && before !== undefined && before.nodeName in EMPHASIS;
    const isNextToSign = /^[*~]|[*~]$/.test(own) || /^[*~]/.test(right) || /[*~]$/.test(left);
    if (isNextToAnother || isNextToSign || countLetters(own) === 0) return trimmed;
    return emphasised(EMPHASIS[node.nodeName] ?? '', trimmed, left, right);
  });
}

function anchor(node: HtmlNode): string {
  const href = node.getAttribute('href') ?? '';
  return aroundSpace(inline(node, escapeInLink), (trimmed) => link(trimmed, href, node.textContent));
}
