import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { storeZip } from '../../../../src/documents/formats/docx/package/write-package.ts';
import { handMade, markdownOf, p, W_NAMESPACES } from './word.ts';

async function failure(bytes: Uint8Array): Promise<ConversionError> {
  const error: unknown = await convertDocx(bytes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConversionError))
    throw new Error(`expected a ConversionError, got ${String(error)}`);
  return error;
}

const document = (prolog: string, body: string) =>
  `${prolog}<w:document ${W_NAMESPACES}><w:body>${body}</w:body></w:document>`;
const part = (xml: string) => handMade('', { 'word/document.xml': xml });

describe('damaged files', () => {
  it.each([
    ['bytes that are no archive', Buffer.from('not a zip at all')],
    ['nothing', Buffer.alloc(0)],
    ['half an archive', handMade(p('text')).subarray(0, 400)],
    ['an archive with broken XML', part(document('', '<w:p><w:r>'))],
  ])('explains %s', async (_, bytes) => {
    const error = await failure(bytes);
    expect(error.code).toBe('corrupt_file');
    expect(error.message).toMatch(/save it again as \.docx/);
  });

  it('explains an archive that is no Word document', async () => {
    expect((await failure(storeZip({ 'readme.txt': 'hello' }))).code).toBe('wrong_content');
  });

  it('explains a document without text, and one with pictures only', async () => {
    expect((await failure(handMade('<w:p/>'))).message).toMatch(/no text/);
    const picture = '<w:p><w:r><w:drawing><wp:inline><pic:pic/></wp:inline></w:drawing></w:r></w:p>';
    const error = await failure(handMade(picture));
    expect(error.code).toBe('no_text');
    expect(error.message).toMatch(/pictures/);
  });

  it('reads an archive with rubbish behind its directory', async () => {
    expect(await markdownOf(Buffer.concat([handMade(p('still here')), Buffer.from('rubbish')]))).toBe(
      'still here',
    );
  });
});

describe('hostile files', () => {
  it('refuses a part that unpacks to too much', async () => {
    const error = await failure(handMade(p('small'), { 'word/comments.xml': ' '.repeat(20_000_001) }));
    expect(error.code).toBe('zip_bomb');
    expect(error.message).toMatch(/20 MB/);
  });

  it('explains a document that is protected by a password', async () => {
    const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const error = await failure(
      Buffer.concat([ole, Buffer.alloc(500), Buffer.from('EncryptedPackage', 'utf16le')]),
    );
    expect(error.code).toBe('encrypted_file');
    expect(error.message).toMatch(/password/);
  });

  it('never expands entities', async () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
    const error = await failure(part(document(laughs, p('&b;'))));
    expect(error.code).toBe('corrupt_file');
    expect(error.message).toMatch(/document type/);
  });

  it('never reads an external entity', async () => {
    const outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    expect((await failure(part(document(outside, p('&a;'))))).code).toBe('corrupt_file');
  });

  it('refuses XML that nests without end', async () => {
    const deep = `${'<w:sdt><w:sdtContent>'.repeat(5_000)}${'</w:sdtContent></w:sdt>'.repeat(5_000)}`;
    expect((await failure(part(document('', deep)))).message).toMatch(/nested too deeply/);
  });

  it('converts tables within tables to the depth that XML may have', async () => {
    const depth = 40;
    const body = `${'<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc>'.repeat(depth)}${p('core')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;
    expect(await markdownOf(handMade(body))).toContain('core');
  });

  it('survives spans, levels and list starts of absurd size', async () => {
    const huge = '999999999';
    const numbering =
      `<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="${huge}"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Part %1"/></w:lvl></w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>';
    const body =
      `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="${huge}"/></w:tcPr>${p('wide')}</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val="${huge}"/></w:trPr><w:tc>${p('far')}</w:tc></w:tr></w:tbl>` +
      p('item', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
      p('deep', `<w:numPr><w:ilvl w:val="${huge}"/><w:numId w:val="1"/></w:numPr>`);
    const markdown = await markdownOf(handMade(body, { 'word/numbering.xml': numbering }));
    expect(markdown).toContain('wide');
    expect(markdown.length).toBeLessThan(2_000);
  });

  it('takes names of the prototype for names', async () => {
    const body =
      p('one', '<w:pStyle w:val="__proto__"/><w:numPr><w:numId w:val="constructor"/></w:numPr>') +
      '<w:p><w:hyperlink r:id="toString"><w:r><w:t>two</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="__proto__"/></w:r></w:p>';
    expect(await markdownOf(handMade(body))).toBe('one\n\ntwo');
  });

  it('removes characters that XML forbids and halves of pairs', async () => {
    expect(await markdownOf(handMade(p('a&#0;b&#xD800;c&#11;d')))).toBe('abcd');
  });

  it('does not let text become markup', async () => {
    const body =
      p('# not a heading') +
      p('&lt;script>x&lt;/script>') +
      p('[a](javascript:x)') +
      p('[^1]: no note') +
      p('| a | b |');
    const markdown = await markdownOf(handMade(body));
    expect(markdown.split('\n\n')).toEqual([
      '\\# not a heading',
      '\\<script>x\\</script>',
      '[a\\](javascript:x)',
      '\\[^1\\]: no note',
      '| a | b |',
    ]);
  });

  it('ends circles of styles and of list styles', async () => {
    const styles =
      `<w:styles ${W_NAMESPACES}><w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>` +
      '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>' +
      '<w:style w:type="numbering" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const numbering =
      `<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="L"/></w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>';
    const body = p('text', '<w:pStyle w:val="A"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
    expect(
      await markdownOf(handMade(body, { 'word/styles.xml': styles, 'word/numbering.xml': numbering })),
    ).toBe('text');
  });
});
