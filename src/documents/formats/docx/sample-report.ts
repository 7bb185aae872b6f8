import { element } from './package/dom.ts';
import { partXml, storeZip } from './package/write-package.ts';
import type { XmlElement } from './package/xml.ts';

const SECTIONS = 10;
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const SENTENCE = 'The service was measured for a year, and what was found is told here. ';

/** @param outline 9 for text, less for a heading */
function paragraph(text: string, outline = 9): XmlElement {
  const properties = element('w:pPr', {}, [element('w:outlineLvl', { 'w:val': String(outline) })]);
  return element('w:p', {}, [properties, element('w:r', {}, [element('w:t', {}, [text])])]);
}

function row(...texts: string[]): XmlElement {
  const cells = texts.map((text) => element('w:tc', {}, [paragraph(text)]));
  return element('w:tr', {}, cells);
}

/** A small report as a Word file, with what most of them have: headings, paragraphs and tables. */
export function sampleReport(): Buffer {
  const sections = Array.from({ length: SECTIONS }, (_, index) => [
    paragraph(`Finding ${index}`, 1),
    ...Array.from({ length: 5 }, () => paragraph(SENTENCE.repeat(6))),
    element('w:tbl', {}, [row('Share', '12 %', SENTENCE), row('Cost', '3', SENTENCE)]),
  ]);
  return storeZip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"/>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="a" Type="${OFFICE}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': partXml('w:document', [element('w:body', {}, sections.flat())]),
  });
}
