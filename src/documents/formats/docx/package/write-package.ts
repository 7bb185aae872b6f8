import { crc32 } from 'node:zlib';
import type { XmlNode } from './xml.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '');
}

function serialise(node: XmlNode, out: string[]): void {
  if (typeof node === 'string') {
    out.push(escapeXml(node));
    return;
  }
  out.push('<', node.name);
  for (const [name, value] of node.attributes) out.push(' ', name, '="', escapeXml(value), '"');
  if (node.children.length === 0) {
    out.push('/>');
    return;
  }
  out.push('>');
  for (const inner of node.children) serialise(inner, out);
  out.push('</', node.name, '>');
}

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A part of the rewritten document: an element of the `w` namespace with this content. */
export function partXml(name: string, content: readonly XmlNode[]): string {
  const out = [`<?xml version="1.0"?><${name} ${NAMESPACES}>`];
  for (const node of content) serialise(node, out);
  out.push(`</${name}>`);
  return out.join('');
}

/** The relationships of a part: its links, all of them external. */
export function relationshipsXml(links: ReadonlyMap<string, string>): string {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
  const entries = [...links].map(
    ([id, target]) =>
      `<Relationship Id="${id}" Type="${type}" TargetMode="External" Target="${escapeXml(target)}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

/** Packs texts into a zip archive without compression (PKWARE APPNOTE 6.3, 4.3): it only ever lives in memory. */
export function storeZip(parts: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(parts)) {
    const name = Buffer.from(path);
    const data = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    bodies.push(Buffer.from('PK\x03\x04'), fields, name, data);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, name);
    offset += 30 + name.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, list, end]);
}
