import { describe, expect, it } from 'vitest';
import {
  parseXml,
  type XmlElement,
  XmlError,
} from '../../../../../src/documents/formats/docx/package/xml.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** An element as nested arrays: name, attributes, children. */
const plain = (node: XmlElement): unknown => [
  node.name,
  Object.fromEntries(node.attributes),
  node.children.map((part) => (typeof part === 'string' ? part : plain(part))),
];

describe('parseXml', () => {
  it('reads elements, attributes, text, entities, comments and character data', () => {
    const xml = `<?xml version="1.0"?><!-- c --><a x="1" y='&lt;&#65;&#x42;"'>t &amp; u<b/><![CDATA[<raw>&amp;]]><!-- <c> --></a>`;
    expect(plain(parseXml(xml))).toEqual([
      'a',
      { x: '1', y: '<AB"' },
      ['t & u', ['b', {}, []], '<raw>&amp;'],
    ]);
  });

  it('gives names the usual prefix of their namespace, whatever prefix the file has', () => {
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
    expect(plain(parseXml(`<ns0:p xmlns:ns0="${W}" ns0:val="1" id="2"/>`))).toEqual([
      'w:p',
      { 'w:val': '1', id: '2' },
      [],
    ]);
    expect(plain(parseXml(`<p xmlns="${strict}"><q xmlns="urn:other"/><r/></p>`))).toEqual([
      'w:p',
      {},
      [
        ['?:q', {}, []],
        ['w:r', {}, []],
      ],
    ]);
    expect(parseXml('<w:p/>').name).toBe('w:p');
  });

  it('leaves out elements that are not wanted, with what is in them', () => {
    expect(plain(parseXml('<a><b><c/>x</b><d/></a>', new Set(['b'])))).toEqual(['a', {}, [['d', {}, []]]]);
  });

  it.each([
    ['', 'nothing'],
    ['<a>', 'an open element'],
    ['<a></b>', 'a wrong end'],
    ['<a><b></a></b>', 'crossed ends'],
    ['</a>', 'an end alone'],
    ['<a x=1/>', 'an attribute without quotes'],
    ['<a x="1/>', 'a quote without end'],
    ['<a <b/>', 'a tag within a tag'],
    ['<!-- never ends', 'an open comment'],
    ['<!DOCTYPE a><a/>', 'a document type'],
    [`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, 'deep nesting'],
  ])('refuses %j: %s', (xml) => {
    expect(() => parseXml(xml)).toThrow(XmlError);
  });

  it('keeps unknown entities as they stand: nothing can declare them', () => {
    expect(parseXml('<a>&bomb;</a>').children).toEqual(['&bomb;']);
  });
});
