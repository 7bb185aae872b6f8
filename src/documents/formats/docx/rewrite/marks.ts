import { child, childValue, element, ownText } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';
import type { Marks } from './line.ts';
import { readRunProperties, type Style, type StyleSheet } from './styles.ts';

const MONOSPACED =
  /courier|consolas|monospace|mono\b|menlo|monaco|lucida (console|sans typewriter)|fixedsys|terminal|source code|inconsolata|fira code|cascadia/i;
const CODE_STYLE =
  /^(source ?code|sourcetext|code|code ?(block|text|snippet|example|char|sample)s?|verbatim( char)?|preformatted( text)?|html (code|keyboard|sample|typewriter|preformatted)|macro ?text|program listing|inline ?code|code ?inline)$/;

/** Everything that is in force for a run: what it says itself, then its style, then the paragraph's style. */
export interface RunStyle {
  own: Omit<Style, 'names'>;
  style: Style;
  paragraph: Style;
}

export function runStyle(properties: XmlElement | undefined, paragraph: Style, styles: StyleSheet): RunStyle {
  return {
    own: readRunProperties(properties),
    style: styles.run(childValue(properties, 'w:rStyle')),
    paragraph,
  };
}

export function isMonospaced(style: RunStyle): boolean {
  return MONOSPACED.test(style.own.font ?? style.style.font ?? style.paragraph.font ?? '');
}

/** Whether a style is one for code, by its name. */
export function isCodeStyle(style: Style): boolean {
  return style.names.some((name) => CODE_STYLE.test(name));
}

/** Whether text in a fixed-width face looks like code, and not like a letter that was typed on a typewriter. */
export function looksLikeCode(text: string): boolean {
  return /[{}();=<>$#|\\@_[\]]|^\s{2,}\S|\w\.\w+\(|(^|\s)--?\w/m.test(text);
}

export function isHidden({ own, style, paragraph }: RunStyle): boolean {
  return own.hidden ?? style.hidden ?? paragraph.hidden ?? false;
}

/** Whether letters are set in bold, for whatever reason. */
export function isBold({ own, style, paragraph }: RunStyle): boolean {
  return own.bold ?? style.bold ?? paragraph.bold ?? false;
}

export function sizeOf({ own, style, paragraph }: RunStyle): number {
  return own.size ?? style.size ?? paragraph.size ?? 0;
}

/** What sets a run apart from the rest of its paragraph. */
export function marksOf(run: RunStyle, fontMarksCode: boolean): Marks {
  const { own, style, paragraph } = run;
  const vertical = own.vertical ?? style.vertical;
  const marks: Marks = {};
  if (own.bold ?? style.bold) marks.bold = true;
  if (own.italic ?? style.italic) marks.italic = true;
  if (own.strike ?? style.strike) marks.strike = true;
  if (vertical === 'superscript' || vertical === 'subscript') marks.vertical = vertical;
  const font = own.font ?? style.font;
  const standsOut =
    fontMarksCode && font !== undefined && MONOSPACED.test(font) && !MONOSPACED.test(paragraph.font ?? '');
  if (isCodeStyle(style) || standsOut) marks.code = true;
  return marks;
}

const RAISED: Record<string, string> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '(': '⁽',
  ')': '⁾',
};
const LOWERED: Record<string, string> = {
  '0': '₀',
  '1': '₁',
  '2': '₂',
  '3': '₃',
  '4': '₄',
  '5': '₅',
  '6': '₆',
  '7': '₇',
  '8': '₈',
  '9': '₉',
  '+': '₊',
  '-': '₋',
  '−': '₋',
  '(': '₍',
  ')': '₎',
};

/**
 * Raised and lowered digits have characters of their own (`m²`, `CO₂`), and the endings of ordinals (`1st`) read well as they
 * are; the rest stays marked.
 */
export function settle(text: string, marks: Marks): { text: string; marks: Marks } {
  if (marks.vertical === undefined) return { text, marks };
  const { vertical, ...others } = marks;
  const table = vertical === 'superscript' ? RAISED : LOWERED;
  if (/^[\d+\-−()]{1,12}$/.test(text))
    return { text: text.replace(/./gu, (c) => table[c] ?? c), marks: others };
  if (vertical === 'superscript' && /^(st|nd|rd|th|er|re|e|o|a|º|ª|\s+|[™®©*]|TM|SM)$/i.test(text))
    return { text, marks: others };
  return { text, marks };
}

/** Letters of the old symbol fonts stand in the private use area: they are looked up like inserted symbols. */
export function symbolRuns(text: string, font: string | undefined): (string | XmlElement)[] {
  if (
    font === undefined ||
    !/^(symbol|wingdings( [23])?|webdings)$/i.test(font) ||
    !/[\uf000-\uf0ff]/.test(text)
  )
    return [text];
  return [...text].map((letter) =>
    /[\uf000-\uf0ff]/.test(letter)
      ? element('w:sym', { 'w:font': font, 'w:char': letter.charCodeAt(0).toString(16).toUpperCase() })
      : letter,
  );
}

/** The text of a `w:t`. */
export function textOf(node: XmlElement): string {
  return ownText(node).replace(/[\r\n]+/g, ' ');
}

export function runPropertiesOf(run: XmlElement): XmlElement | undefined {
  return child(run, 'w:rPr');
}
