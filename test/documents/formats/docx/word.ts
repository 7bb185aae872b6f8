import { Document, type ISectionOptions, Packer } from 'docx';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { storeZip } from '../../../../src/documents/formats/docx/package/write-package.ts';

export const W_NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(' ');

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A .docx from the XML of its body, and of further parts by their path (`word/styles.xml`). */
export function handMade(body: string, parts: Record<string, string> = {}): Buffer {
  return storeZip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ main: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8"?><w:document ${W_NAMESPACES}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** A part's relationships: id to type and target; a target with a scheme is external. */
export function relationships(entries: Record<string, [type: string, target: string]>): string {
  const lines = Object.entries(entries).map(([id, [type, target]]) => {
    const mode = /^[a-z]+:/i.test(target) ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${mode}/>`;
  });
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`;
}

/** A paragraph's XML. */
export function p(text: string, properties = '', run = ''): string {
  return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r>${run && `<w:rPr>${run}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export async function markdownOf(bytes: Uint8Array): Promise<string> {
  return (await convertDocx(bytes)).markdown.trimEnd();
}

/** A .docx that the `docx` package writes. */
export async function written(
  children: ISectionOptions['children'],
  options: Partial<ConstructorParameters<typeof Document>[0]> = {},
): Promise<Buffer> {
  return Packer.toBuffer(new Document({ ...options, sections: [{ children }] }));
}
