import { child, childValue, elements, integer, isOn } from '../package/dom.ts';
import type { XmlElement } from '../package/xml.ts';

/** What a style amounts to once its ancestors are counted in. Undefined: nothing in the chain says it. */
export interface Style {
  /** Names of the style and its ancestors, lower case, nearest first. */
  names: string[];
  /** 0 for the outermost heading; 9 is body text. */
  outlineLevel?: number;
  numId?: string;
  listLevel?: number;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  hidden?: boolean;
  vertical?: string;
  /** In half points. */
  size?: number;
  font?: string;
  /** Where its text begins, in twentieths of a point from the margin. */
  left?: number;
  /** A table style sets the first row apart from the others. */
  firstRow?: boolean;
}

export interface StyleSheet {
  /** The style of a paragraph or of a run; the document's default paragraph style for undefined. */
  paragraph(id: string | undefined): Style;
  run(id: string | undefined): Style;
  /** The style of a table. */
  table(id: string | undefined): Style;
}

const NOTHING: Omit<Style, 'names'> = {};
/** A run's properties are asked for several times: once to judge its paragraph, once to write it. */
const known = new WeakMap<XmlElement, Omit<Style, 'names'>>();

/** What run properties say directly. */
export function readRunProperties(properties: XmlElement | undefined): Omit<Style, 'names'> {
  if (properties === undefined) return NOTHING;
  const before = known.get(properties);
  if (before !== undefined) return before;
  const found: Omit<Style, 'names'> = {};
  for (const property of elements(properties)) readProperty(property, found);
  known.set(properties, found);
  return found;
}

function readProperty(property: XmlElement, into: Omit<Style, 'names'>): void {
  const value = property.attributes.get('w:val');
  switch (property.name) {
    case 'w:b':
      into.bold = isOn(property);
      break;
    case 'w:i':
      into.italic = isOn(property);
      break;
    case 'w:strike':
    case 'w:dstrike':
      into.strike = isOn(property) || into.strike === true;
      break;
    case 'w:vanish':
      into.hidden = isOn(property);
      break;
    case 'w:vertAlign':
      if (value !== undefined) into.vertical = value;
      break;
    case 'w:sz': {
      const size = integer(value);
      if (size !== undefined) into.size = size;
      break;
    }
    case 'w:rFonts': {
      const font = property.attributes.get('w:ascii');
      if (font !== undefined) into.font = font;
      break;
    }
  }
}

/** Where properties of a paragraph, a style or a list level set the text, in twentieths of a point from the margin. */
export function leftOf(properties: XmlElement | undefined): number | undefined {
  const indent = child(properties, 'w:ind')?.attributes;
  return integer(indent?.get('w:left') ?? indent?.get('w:start'));
}

function readStyle(definition: XmlElement): Style {
  const properties = child(definition, 'w:pPr');
  const numbering = child(properties, 'w:numPr');
  const name = (
    childValue(definition, 'w:name') ??
    definition.attributes.get('w:styleId') ??
    ''
  ).toLowerCase();
  const style: Style = { ...readRunProperties(child(definition, 'w:rPr')), names: [name] };
  const outline = integer(childValue(properties, 'w:outlineLvl'));
  if (outline !== undefined) style.outlineLevel = outline;
  const left = leftOf(properties);
  if (left !== undefined) style.left = left;
  const conditional = elements(definition).filter((part) => part.name === 'w:tblStylePr');
  if (conditional.some((part) => part.attributes.get('w:type') === 'firstRow')) style.firstRow = true;
  if (numbering !== undefined) {
    style.numId = childValue(numbering, 'w:numId') ?? '';
    style.listLevel = integer(childValue(numbering, 'w:ilvl')) ?? 0;
  }
  return style;
}

/** Reads the style sheet; chains of `basedOn` are followed up to 20 steps, so that a circle ends. */
export function readStyles(root: XmlElement | undefined): StyleSheet {
  const definitions = new Map<string, XmlElement>();
  let defaultParagraph: string | undefined;
  for (const entry of elements(root)) {
    if (entry.name !== 'w:style') continue;
    const id = entry.attributes.get('w:styleId') ?? '';
    const type = entry.attributes.get('w:type') ?? 'paragraph';
    if (!definitions.has(`${type}:${id}`)) definitions.set(`${type}:${id}`, entry);
    const isDefault = entry.attributes.get('w:default');
    if (type === 'paragraph' && (isDefault === '1' || isDefault === 'true')) defaultParagraph ??= id;
  }
  const defaults: Style = {
    names: [],
    ...readRunProperties(child(child(child(root, 'w:docDefaults'), 'w:rPrDefault'), 'w:rPr')),
  };
  const cache = new Map<string, Style>();
  const resolve = (type: string, id: string, depth = 0): Style => {
    const key = `${type}:${id}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const definition = definitions.get(key);
    const base = type === 'paragraph' ? defaults : { names: [] };
    if (definition === undefined || depth > 20) return base;
    const parentId = childValue(definition, 'w:basedOn');
    const parent = parentId === undefined || parentId === id ? base : resolve(type, parentId, depth + 1);
    const own = readStyle(definition);
    const style = { ...parent, ...own, names: [...own.names, ...parent.names] };
    cache.set(key, style);
    return style;
  };
  return {
    paragraph: (id) => resolve('paragraph', id ?? defaultParagraph ?? ''),
    run: (id) => (id === undefined ? { names: [] } : resolve('character', id)),
    table: (id) => (id === undefined ? { names: [] } : resolve('table', id)),
  };
}
