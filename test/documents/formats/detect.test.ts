import { describe, expect, it } from 'vitest';
import { detectFormat, UnsupportedFileError } from '../../../src/documents/formats/detect.ts';
import { storeZip } from '../../../src/documents/formats/docx/package/write-package.ts';
import { acceptedExtensions } from '../../../src/documents/formats/registry.ts';
import { handMade, p } from './docx/word.ts';

const word = handMade(p('text'));
const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1');
const ole = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

function refusal(name: string, bytes: Uint8Array): string {
  try {
    detectFormat(name, bytes);
  } catch (error) {
    if (error instanceof UnsupportedFileError) return error.message;
  }
  throw new Error(`${name} was not refused`);
}

describe('detectFormat', () => {
  it.each([
    ['a.docx', word, 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['A.DOCM', word, 'docx', 'application/vnd.ms-word.document.macroEnabled.12'],
    ['A.dotm', word, 'docx', 'application/vnd.ms-word.template.macroEnabled.12'],
    ['a.DotX', word, 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.template'],
    ['paper.PDF', pdf, 'pdf', 'application/pdf'],
    ['late.pdf', Buffer.concat([Buffer.alloc(1_000, 10), pdf]), 'pdf', 'application/pdf'],
    ['values.yaml', Buffer.from('a: 1'), 'yaml', 'application/yaml'],
    ['values.YML', Buffer.from('a: 1'), 'yaml', 'application/yaml'],
    ['package.json', Buffer.from('{}'), 'json', 'application/json'],
    ['sales.csv', Buffer.from('a;b'), 'csv', 'text/csv'],
    ['sales.TSV', Buffer.from('a\tb'), 'csv', 'text/tab-separated-values'],
    ['notes.md', Buffer.from('# Notes'), 'markdown', 'text/markdown'],
    ['page.html', Buffer.from('<p>text'), 'html', 'text/html'],
    ['PAGE.HTM', Buffer.from('no tag at all'), 'html', 'text/html'],
    ['page.md', Buffer.from('<!doctype html><p>text'), 'markdown', 'text/markdown'],
    ['page.txt', Buffer.from('<!doctype html><p>text'), 'text', 'text/plain'],
    ['about.md', Buffer.from('A PDF starts with %PDF-1.7'), 'markdown', 'text/markdown'],
    ['notes.v2.markdown', Buffer.from(''), 'markdown', 'text/markdown'],
    ['übersicht 📄.txt', Buffer.from('text'), 'text', 'text/plain'],
  ])('accepts %s', (name, bytes, format, mediaType) => {
    expect(detectFormat(name, bytes)).toEqual({ format, mediaType });
  });

  it('lets damaged and encrypted Word files through: the conversion explains them', () => {
    const encrypted = Buffer.concat([ole, Buffer.alloc(600), utf16('EncryptedPackage')]);
    for (const bytes of [word.subarray(0, 60), Buffer.from('rubbish'), encrypted, Buffer.alloc(0)]) {
      expect(detectFormat('a.docx', bytes).format).toBe('docx');
    }
  });

  it('recognises an encrypted file wherever in memory its bytes lie', () => {
    const encrypted = Buffer.concat([ole, Buffer.alloc(600), utf16('EncryptedPackage')]);
    for (const offset of [0, 1, 2, 3]) {
      const bytes = Buffer.concat([Buffer.alloc(offset), encrypted]).subarray(offset);
      expect(detectFormat('a.docx', bytes).format).toBe('docx');
    }
  });

  it.each([
    ['photo.docx', png, /PNG image/],
    ['photo.txt', png, /PNG image/],
    ['report.md', pdf, /PDF document/],
    ['report.docx', pdf, /PDF document/],
    ['values.yaml', pdf, /PDF document/],
    ['page.html', pdf, /PDF document/],
    ['page.htm', png, /PNG image/],
    ['page.html', word, /Word document/],
    ['report.pdf', word, /Word document/],
    ['report.pdf', Buffer.from('just words'), /no PDF document/],
    ['report.pdf', Buffer.concat([Buffer.alloc(1_100, 10), pdf]), /no PDF document/],
    ['photo.pdf', png, /PNG image/],
    ['data.json', word, /Word document/],
    ['data.csv', png, /PNG image/],
    ['data.tsv', storeZip({ 'xl/workbook.xml': '<x/>' }), /Excel/],
    ['old.docx', Buffer.concat([ole, utf16('WordDocument')]), /Word 97/],
    ['letter.docx', Buffer.from('{\\rtf1'), /RTF/],
    ['tool.txt', Buffer.from('\x7fELF\x02', 'latin1'), /program/],
    ['sheet.docx', storeZip({ 'xl/workbook.xml': '<x/>' }), /Excel/],
    ['text.txt', word, /Word document/],
  ])('refuses %s for its content', (name, bytes, reason) => {
    expect(refusal(name, bytes)).toMatch(reason);
  });

  it.each(['archive.zip', 'noextension', '.docx.exe', 'a.doc', ''])(
    'refuses the name %j and lists what is accepted',
    (name) => {
      expect(refusal(name, Buffer.from('x'))).toContain(acceptedExtensions());
    },
  );

  it('tells the owner of a file under a wrong name what to do', () => {
    expect(refusal('report.doc', word)).toMatch(/ends in \.docx/);
    expect(refusal('report.prn', pdf)).toMatch(/ends in \.pdf/);
  });
});
