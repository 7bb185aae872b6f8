/** Text with `**bold**`, `*italic*`, `[label](https://...)` and `[^1]` (a footnote) in it. */
export type Inline = string;

/** A list item, alone or with items below it. */
export type ListItem = Inline | { text: Inline; items: ListItem[] };

export type Block =
  | { kind: 'title'; text: string }
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'paragraph'; text: Inline }
  | { kind: 'list'; numbered: boolean; items: ListItem[] }
  | { kind: 'table'; rows: Inline[][] };

/** A Word document as data. */
export interface Report {
  title: string;
  author: string;
  footnotes: Record<number, string>;
  blocks: Block[];
}

export const title = (text: string): Block => ({ kind: 'title', text });
export const h1 = (text: string): Block => ({ kind: 'heading', level: 1, text });
export const h2 = (text: string): Block => ({ kind: 'heading', level: 2, text });
export const h3 = (text: string): Block => ({ kind: 'heading', level: 3, text });
export const p = (text: Inline): Block => ({ kind: 'paragraph', text });
export const bullets = (...items: ListItem[]): Block => ({ kind: 'list', numbered: false, items });
export const steps = (...items: ListItem[]): Block => ({ kind: 'list', numbered: true, items });
/** The first row is the head. */
export const table = (...rows: Inline[][]): Block => ({ kind: 'table', rows });
