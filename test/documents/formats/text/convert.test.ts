import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertMarkdown } from '../../../../src/documents/formats/markdown/convert.ts';
import { convertText } from '../../../../src/documents/formats/text/convert.ts';
import { decodeText } from '../../../../src/documents/formats/text/decode.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ConversionError) return error.code;
  }
  return 'converted';
};

describe('decodeText', () => {
  const bigEndian = Buffer.from('añ', 'utf16le').swap16();
  it.each([
    ['UTF-8', Buffer.from('añ漢😀'), 'añ漢😀'],
    ['UTF-8 with a mark', Buffer.from('\ufeffañ'), 'añ'],
    ['UTF-16 with a mark', Buffer.from('\ufeffañ', 'utf16le'), 'añ'],
    ['big-endian UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian]), 'añ'],
    [
      'UTF-16 without a mark',
      Buffer.from('plain words in wide letters', 'utf16le'),
      'plain words in wide letters',
    ],
    ['Windows-1252', Buffer.from([0x93, 0x63, 0x61, 0x66, 0xe9, 0x94]), '“café”'],
    ['text with a NUL in it', Buffer.from('a\0b'), 'ab'],
  ])('reads %s', (_, bytes, text) => expect(decodeText(bytes)).toBe(text));

  it.each([
    ['the encoding that it names', [0x83, 0x65, 0x83, 0x58], 'Shift_JIS', 'テス'],
    ['Windows-1252 by another name', [0x93, 0xc3, 0xa9], 'iso-8859-1', '“Ã©'],
    ['UTF-8 in spite of an unknown name', [0xc3, 0xa9], 'klingon', 'é'],
    ['UTF-8 where it is named', [0xc3, 0xa9], 'utf8', 'é'],
    ['Windows-1252 where UTF-8 is named and is not there', [0xe9], 'utf-8', 'é'],
    ['UTF-8 where UTF-16 is named, which could not have been read so far', [0xc3, 0xa9], 'utf-16', 'é'],
    ['UTF-8 by its mark, whatever is named', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'koi8-r', 'é'],
  ])('reads %s', (_, bytes, named, text) => expect(decodeText(Buffer.from(bytes), named)).toBe(text));
});

describe('convertText and convertMarkdown', () => {
  it('pass text through unchanged', () => {
    const text = '# A\r\n\r\n* b  \n\tc\n';
    expect(convertMarkdown(Buffer.from(text))).toMatchObject({
      markdown: text,
      format: 'markdown',
      fidelity: { score: 1, losses: [] },
    });
    expect(convertText(Buffer.from(text))).toMatchObject({ markdown: text, format: 'text' });
  });

  it('refuse what is no text', () => {
    const noise = Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7919) % 256));
    expect(codeOf(() => convertText(noise))).toBe('unreadable_text');
    expect(codeOf(() => convertMarkdown(Buffer.from(' \n\t')))).toBe('no_text');
  });
});
