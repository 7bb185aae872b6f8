import MarkdownIt from 'markdown-it';
import { countWords } from './words.ts';

/** What a Markdown text holds, for comparing it with a truth. */
export interface MarkdownFacts {
  words: Map<string, number>;
  /** Those of the words that are the numbers in front of headings and items (`1.2`, `Section 1`): Word may generate them. */
  labels: Map<string, number>;
  headings: { level: number; text: string }[];
  tables: number;
  listItems: number;
  links: string[];
  images: number;
  notes: number;
  codeBlocks: number;
  quotes: number;
}

const LABEL = /^(?:\p{L}+ )?\d{1,4}(?:[.)]\d{1,4})*[.)]? /u;

const parser = new MarkdownIt({ html: true });

function stripHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

type Token = ReturnType<typeof parser.parse>[number];

/** An inline token as text; alt text of images is left out, since the tools disagree about it. */
function inlineText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'image') return '';
      if (token.type === 'html_inline') return /^<\/?(br|p|li|td|th|tr)\b/i.test(token.content) ? ' ' : '';
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
      return token.content;
    })
    .join('');
}

/** Reads `markdown` with a CommonMark parser and counts what is in it. Tables and list items in HTML count too. */
export function readMarkdown(markdown: string): MarkdownFacts {
  const notes = new Set([...markdown.matchAll(/\[\^([^\]\s]+)\](?!:)/g)].map((match) => match[1]));
  const source = markdown.replace(/^\[\^[^\]\s]+\]:/gm, '').replace(/\[\^[^\]\s]+\]/g, '');
  const facts: MarkdownFacts = {
    words: new Map(),
    labels: new Map(),
    headings: [],
    tables: 0,
    listItems: 0,
    links: [],
    images: 0,
    notes: notes.size,
    codeBlocks: 0,
    quotes: 0,
  };
  const texts: string[] = [];
  const labels: string[] = [];
  const tokens = parser.parse(source, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') {
      const children = token.children ?? [];
      const text = inlineText(children);
      texts.push(text);
      const isLabelled = ['heading_open', 'list_item_open'].some((type) =>
        [tokens[index - 1]?.type, tokens[index - 2]?.type].includes(type),
      );
      if (isLabelled) labels.push(LABEL.exec(text)?.[0] ?? '');
      for (const child of children) {
        if (child.type === 'link_open') facts.links.push(String(child.attrGet('href') ?? ''));
        if (child.type === 'image') facts.images += 1;
      }
    }
    if (token.type === 'heading_open') {
      facts.headings.push({
        level: Number(token.tag.slice(1)),
        text: inlineText(tokens[index + 1]?.children ?? []),
      });
    }
    if (token.type === 'table_open') facts.tables += 1;
    if (token.type === 'list_item_open') facts.listItems += 1;
    if (token.type === 'blockquote_open') facts.quotes += 1;
    if (token.type === 'fence' || token.type === 'code_block') {
      facts.codeBlocks += 1;
      texts.push(token.content);
    }
    if (token.type === 'html_block') {
      texts.push(stripHtml(token.content));
      facts.tables += (token.content.match(/<table\b/gi) ?? []).length;
      facts.listItems += (token.content.match(/<li\b/gi) ?? []).length;
      for (const [, href] of token.content.matchAll(/<a href="([^"]*)"/gi)) facts.links.push(href ?? '');
    }
  }
  facts.words = countWords(texts.join('\n'));
  facts.labels = countWords(labels.join('\n'));
  return facts;
}
