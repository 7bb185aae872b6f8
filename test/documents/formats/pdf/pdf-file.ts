/** A line of text on a page; `y` from the bottom, in points, of 792. */
export interface PdfText {
  text: string;
  x?: number;
  y: number;
  size?: number;
}

export interface PdfPageInput {
  texts?: PdfText[];
  /** Instead of texts: a content stream as zlib gives it. */
  deflated?: Buffer;
  /** Addresses that links on the page lead to. */
  links?: string[];
  image?: boolean;
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');

function contentOf({ texts = [], deflated, image }: PdfPageInput): Buffer {
  if (deflated) return stream('/Filter /FlateDecode', deflated);
  const shown = texts.map(
    ({ text, x = 72, y, size = 10 }) => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`,
  );
  if (image) shown.push('q 100 0 0 100 72 72 cm /I1 Do Q');
  return stream('', Buffer.from(shown.join('\n'), 'latin1'));
}

function stream(entries: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

interface PdfOptions {
  catalog?: string;
  trailer?: string;
  /** Entries of its table of contents, each under the one before it. */
  bookmarks?: { title: string; page: number }[];
}

/** A PDF of pages of letter size, with text in Helvetica (Latin-1). `catalog` and `extra` go into its root and trailer. */
export function makePdf(
  pages: readonly PdfPageInput[],
  { catalog = '', trailer = '', bookmarks = [] }: PdfOptions = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): string => {
    objects.push(Buffer.from(body));
    return `${objects.length} 0 R`;
  };
  add('');
  add('');
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const pixel = stream(
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    Buffer.from([0]),
  );
  const image = pages.some((page) => page.image) ? add(pixel) : '';
  const kids = pages.map((page) => {
    const links = (page.links ?? []).map((link) =>
      add(
        `<< /Type /Annot /Subtype /Link /Rect [72 72 90 90] /A << /Type /Action /S /URI /URI (${escaped(link)}) >> >>`,
      ),
    );
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${add(contentOf(page))} /Annots [${links.join(' ')}]
         /Resources << /Font << /F1 ${font} >> ${image && `/XObject << /I1 ${image} >>`} >> >>`,
    );
  });
  const outline = bookmarks.reduceRight((inner, { title, page }) => {
    const child = inner && `/First ${inner} /Last ${inner} /Count 1`;
    return add(`<< /Title (${escaped(title)}) /Dest [${kids[page]} /Fit] ${child} >>`);
  }, '');
  const outlines =
    outline && `/Outlines ${add(`<< /Type /Outlines /First ${outline} /Last ${outline} /Count 1 >>`)}`;
  objects[0] = Buffer.from(`<< /Type /Catalog /Pages 2 0 R ${outlines} ${catalog} >>`);
  objects[1] = Buffer.from(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`);

  const parts = [Buffer.from('%PDF-1.7\n')];
  let at = 9;
  const offsets = objects.map((body, i) => {
    const object = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(object);
    at += object.length;
    return at - object.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A PDF of one page with one line on it. */
export const onePage = (text: string): Buffer => makePdf([{ texts: [{ text, y: 600 }] }]);
