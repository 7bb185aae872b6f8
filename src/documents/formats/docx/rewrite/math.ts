import { child, childValue, elements, ownText } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';
import { escapeMath } from './math-symbols.ts';

/** Operators of `m:nary` and accents of `m:acc`, by their character. */
const OPERATORS: Record<string, string> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∐': '\\coprod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
  '∯': '\\oiint',
  '∰': '\\oiiint',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
  '⋁': '\\bigvee',
  '⋀': '\\bigwedge',
};
const ACCENTS: Record<string, string> = {
  '\u0300': '\\grave',
  '\u0301': '\\acute',
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0306': '\\breve',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u030c': '\\check',
  '\u20d7': '\\vec',
  '¯': '\\bar',
  '^': '\\hat',
  '~': '\\tilde',
};
const FUNCTIONS = new Set(
  'sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker arg gcd deg'.split(
    ' ',
  ),
);

function property(node: XmlElement, name: string): string | undefined {
  const properties = elements(node).find((part) => part.name === `${node.name}Pr`);
  const found = child(properties, name);
  return found?.attributes.get('m:val') ?? (found === undefined ? undefined : childValue(properties, name));
}

function isOn(node: XmlElement, name: string): boolean {
  const properties = elements(node).find((part) => part.name === `${node.name}Pr`);
  const found = child(properties, name);
  const value = found?.attributes.get('m:val');
  return found !== undefined && value !== '0' && value !== 'off' && value !== 'false';
}

function part(node: XmlElement, name: string): string {
  const found = child(node, name);
  return found === undefined ? '' : content(found);
}

function parts(node: XmlElement, name: string): string[] {
  return elements(node)
    .filter((entry) => entry.name === name)
    .map(content);
}

function delimiter(character: string): string {
  if (character === '') return '.';
  if ('{}'.includes(character)) return `\\${character}`;
  const named: Record<string, string> = {
    '⟨': '\\langle',
    '⟩': '\\rangle',
    '⌈': '\\lceil',
    '⌉': '\\rceil',
    '⌊': '\\lfloor',
    '⌋': '\\rfloor',
    '‖': '\\|',
  };
  return named[character] ?? character;
}

function delimited(node: XmlElement): string {
  const open = delimiter(property(node, 'm:begChr') ?? '(');
  const close = delimiter(property(node, 'm:endChr') ?? ')');
  const separator = property(node, 'm:sepChr') ?? '|';
  return `\\left${open}${parts(node, 'm:e').join(escapeMath(separator))}\\right${close}`;
}

function fraction(node: XmlElement): string {
  const type = property(node, 'm:type');
  const [top, bottom] = [part(node, 'm:num'), part(node, 'm:den')];
  if (type === 'lin' || type === 'skw') return `${top}/${bottom}`;
  return type === 'noBar' ? `\\genfrac{}{}{0pt}{}{${top}}{${bottom}}` : `\\frac{${top}}{${bottom}}`;
}

function operator(node: XmlElement): string {
  const character = property(node, 'm:chr') ?? '∫';
  const sub = isOn(node, 'm:subHide') ? '' : part(node, 'm:sub');
  const sup = isOn(node, 'm:supHide') ? '' : part(node, 'm:sup');
  const symbol = OPERATORS[character] ?? escapeMath(character);
  return `${symbol}${sub && `_{${sub}}`}${sup && `^{${sup}}`} ${part(node, 'm:e')}`;
}

/** A function's name (`sin`) as a LaTeX command, where it has one. */
function functionName(text: string): string {
  const name = /^([a-z]{2,6})(?![a-z])/.exec(text)?.[1];
  if (name !== undefined && FUNCTIONS.has(name)) return `\\${text}`;
  return /^[a-z]{2,30}$/i.test(text) ? `\\operatorname{${text}}` : text;
}

function group(node: XmlElement): string {
  const character = property(node, 'm:chr') ?? '⏟';
  const top = property(node, 'm:pos') === 'top';
  const inner = part(node, 'm:e');
  if (character === '⏟' || character === '⏞') return `\\${top ? 'over' : 'under'}brace{${inner}}`;
  return `\\${top ? 'over' : 'under'}set{${escapeMath(character)}}{${inner}}`;
}

function matrix(node: XmlElement): string {
  const rows = elements(node).filter((entry) => entry.name === 'm:mr');
  return `\\begin{matrix}${rows.map((row) => parts(row, 'm:e').join(' & ')).join(' \\\\ ')}\\end{matrix}`;
}

function expression(node: XmlElement): string {
  switch (node.name) {
    case 'm:r':
    case 'w:r':
      return elements(node)
        .map((entry) => (entry.name === 'm:t' || entry.name === 'w:t' ? escapeMath(ownText(entry)) : ''))
        .join('');
    case 'm:f':
      return fraction(node);
    case 'm:sSup':
      return `${base(node)}^{${part(node, 'm:sup')}}`;
    case 'm:sSub':
      return `${base(node)}_{${part(node, 'm:sub')}}`;
    case 'm:sSubSup':
      return `${base(node)}_{${part(node, 'm:sub')}}^{${part(node, 'm:sup')}}`;
    case 'm:sPre':
      return `{}_{${part(node, 'm:sub')}}^{${part(node, 'm:sup')}}${part(node, 'm:e')}`;
    case 'm:rad': {
      const degree = isOn(node, 'm:degHide') ? '' : part(node, 'm:deg');
      return `\\sqrt${degree && `[${degree}]`}{${part(node, 'm:e')}}`;
    }
    case 'm:nary':
      return operator(node);
    case 'm:d':
      return delimited(node);
    case 'm:func':
      return `${functionName(part(node, 'm:fName'))}{${part(node, 'm:e')}}`;
    case 'm:limLow':
      return `${functionName(part(node, 'm:e'))}_{${part(node, 'm:lim')}}`;
    case 'm:limUpp':
      return `${functionName(part(node, 'm:e'))}^{${part(node, 'm:lim')}}`;
    case 'm:acc':
      return `${ACCENTS[property(node, 'm:chr') ?? '\u0302'] ?? '\\hat'}{${part(node, 'm:e')}}`;
    case 'm:bar':
      return `\\${property(node, 'm:pos') === 'top' ? 'over' : 'under'}line{${part(node, 'm:e')}}`;
    case 'm:groupChr':
      return group(node);
    case 'm:m':
      return matrix(node);
    case 'm:eqArr': {
      const lines = parts(node, 'm:e');
      if (lines.length === 1) return lines[0] ?? '';
      return `\\begin{aligned}${lines.join(' \\\\ ')}\\end{aligned}`;
    }
    default:
      // Property elements have no text; boxes, phantoms and whatever is not known are what they contain.
      return node.name.endsWith('Pr') ? '' : content(node);
  }
}

/** The base of a script; braces keep `(ab)^2` together when the base is more than one character. */
function base(node: XmlElement): string {
  const text = part(node, 'm:e');
  return /^(.?|\\[a-zA-Z]+ ?|\\left.*)$/su.test(text) ? text.trim() : `{${text}}`;
}

function content(node: XmlElement): string {
  return elements(node).map(expression).join('');
}

/** An equation (`m:oMath`, ECMA-376 part 1, 22.1) as LaTeX, without delimiters; empty if it holds nothing. */
export function mathToLatex(node: XmlElement): string {
  return content(node).replace(/\s+/g, ' ').trim();
}
