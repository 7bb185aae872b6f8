import { describe, expect, it } from 'vitest';
import { convertHtml } from '../../../../src/documents/formats/html/convert.ts';

const page = (head: string, bytes: number[]) =>
  Buffer.concat([Buffer.from(`${head}<p>`), Buffer.from(bytes)]);

describe('the encoding of a page', () => {
  const kana = [0x83, 0x65, 0x83, 0x58];
  it.each([
    ['<meta charset>', page('<meta charset="Shift_JIS">', kana), 'テス'],
    ['<meta charset> without quotes', page('<META CHARSET = shift_jis />', kana), 'テス'],
    [
      '<meta http-equiv>',
      page('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', [0xc4, 0xc1]),
      'да',
    ],
    [
      'Latin-1, which browsers read as Windows-1252',
      page('<meta charset="iso-8859-1">', [0x93, 0xe9, 0x94]),
      '“é”',
    ],
    ['a comment, which names none', page('<!-- <meta charset="koi8-r"> -->', [0xc3, 0xa9]), 'é'],
    ['none that is known', page('<meta charset="klingon">', [0xc3, 0xa9]), 'é'],
    ['none', page('', [0xe9]), 'é'],
    ['a mark that says more than the page', Buffer.from('\ufeff<meta charset="koi8-r"><p>é'), 'é'],
    ['UTF-16', Buffer.from('\ufeff<meta charset="utf-8"><p>é漢', 'utf16le'), 'é漢'],
  ])('is read from %s', (_, bytes, text) => expect(convertHtml(bytes).markdown).toBe(`${text}\n`));

  it('leaves characters that are written by name', () => {
    expect(convertHtml(Buffer.from('&eacute;&#x6f22;&#150;&hearts; &bogus; a&b')).markdown).toBe(
      'é漢–♥ \\&bogus; a&b\n',
    );
  });
});
