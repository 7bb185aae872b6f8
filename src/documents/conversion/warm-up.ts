import { chunkingSchema } from '../chunking/settings.ts';
import { element } from '../formats/docx/package/dom.ts';
import { partXml, storeZip } from '../formats/docx/package/write-package.ts';
import type { XmlElement } from '../formats/docx/package/xml.ts';
import { prepareDocument } from './prepare.ts';

/** After so many small documents the code of a conversion is compiled: a large one then takes half as long. */
const ROUNDS = 20;
const SECTIONS = 10;
/** For so long nothing was asked for, in milliseconds, before it begins. */
const IDLE_MS = 1_000;
const PAUSE_MS = 20;

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

/**
 * Converts a small document again and again while there is nothing else to do, some tens of milliseconds at a time, so that
 * the first large file does not run in code that is not compiled yet. Whatever goes wrong in it is of no consequence.
 *
 * @returns to be called when a request begins and when it has ended: a rest begins anew
 */
export function warmUpWhenIdle(): { busy(): void; idle(): void } {
  let rounds = 0;
  let timer: NodeJS.Timeout | undefined;
  const bytes = sampleReport();
  const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });

  async function round(): Promise<void> {
    const { convertDocx } = await import('../formats/docx/convert.ts');
    prepareDocument(await convertDocx(bytes), { name: 'a.docx', chunking });
    rounds += 1;
  }
  function wait(ms: number): void {
    if (rounds >= ROUNDS) return;
    const mine = setTimeout(() => {
      round().then(
        () => timer === mine && wait(PAUSE_MS),
        () => undefined,
      );
    }, ms);
    timer = mine;
  }
  wait(IDLE_MS);
  return {
    busy() {
      clearTimeout(timer);
      timer = undefined;
    },
    idle: () => wait(IDLE_MS),
  };
}
