import { child, findAll, ownText } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** What a drawing, an old-style picture or an embedded object shows. */
export interface Drawing {
  /** Alternative text of each picture; empty where it has none. */
  images: string[];
  /** Content of each text box: paragraphs and tables. */
  boxes: XmlNode[][];
  /** Relationship ids of charts and of diagrams' data. */
  charts: string[];
  diagrams: string[];
  /** How many documents of other programs are embedded. */
  embedded: number;
}

function described(node: XmlElement | undefined): string {
  const text = node?.attributes.get('descr')?.trim() || node?.attributes.get('title')?.trim() || '';
  return text.replace(/\s+/g, ' ');
}

function isDecorative(node: XmlElement): boolean {
  return findAll(node, 'adec:decorative').some((mark) => mark.attributes.get('val') === '1');
}

/** A shape's own words: text on a canvas that is no text box. */
function shapeText(node: XmlElement): XmlNode[] {
  return findAll(node, 'a:p')
    .map((paragraph) => findAll(paragraph, 'a:t').map(ownText).join(''))
    .filter((text) => text.trim() !== '')
    .map((text) => ({
      name: 'w:p',
      attributes: new Map(),
      children: [
        {
          name: 'w:r',
          attributes: new Map(),
          children: [{ name: 'w:t', attributes: new Map(), children: [text] }],
        },
      ],
    }));
}

function visit(node: XmlElement, inherited: string, found: Drawing): void {
  switch (node.name) {
    case 'w:txbxContent':
      found.boxes.push(node.children);
      return;
    case 'wp:inline':
    case 'wp:anchor': {
      if (isDecorative(node)) return;
      const before = found.images.length + found.boxes.length + found.charts.length + found.diagrams.length;
      const alt = described(child(node, 'wp:docPr'));
      for (const inner of node.children) if (typeof inner !== 'string') visit(inner, alt, found);
      const after = found.images.length + found.boxes.length + found.charts.length + found.diagrams.length;
      // A shape that is drawn, not a picture: only its description can be told.
      if (after === before && alt !== '') found.images.push(alt);
      return;
    }
    case 'pic:pic':
      found.images.push(inherited || described(child(child(node, 'pic:nvPicPr'), 'pic:cNvPr')));
      return;
    case 'v:imagedata':
      found.images.push(node.attributes.get('o:title')?.trim() || inherited);
      return;
    case 'v:shape':
    case 'v:rect':
    case 'v:group': {
      const alt = node.attributes.get('alt')?.trim() || inherited;
      for (const inner of node.children) if (typeof inner !== 'string') visit(inner, alt, found);
      return;
    }
    case 'v:textpath': {
      const text = node.attributes.get('string') ?? '';
      if (text.trim() !== '') found.images.push(text.trim());
      return;
    }
    case 'c:chart':
      found.charts.push(node.attributes.get('r:id') ?? '');
      return;
    case 'o:OLEObject':
      found.embedded += 1;
      return;
    case 'dgm:relIds':
      found.diagrams.push(node.attributes.get('r:dm') ?? '');
      return;
    case 'a:txBody': {
      const text = shapeText(node);
      if (text.length > 0) found.boxes.push(text);
      return;
    }
    default:
      for (const inner of node.children) if (typeof inner !== 'string') visit(inner, inherited, found);
  }
}

/** Finds the text and the pictures in a `w:drawing`, `w:pict` or `w:object`. */
export function readDrawing(node: XmlElement): Drawing {
  const found: Drawing = { images: [], boxes: [], charts: [], diagrams: [], embedded: 0 };
  visit(node, '', found);
  return found;
}
