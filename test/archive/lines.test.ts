import { describe, expect, it } from 'vitest';
import { readLines } from '../../src/archive/lines.ts';

async function linesOf(pieces: (string | Buffer)[]) {
  async function* stream() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const lines: { line: number; text: string }[] = [];
  for await (const line of readLines(stream(), 'a.jsonl', 100)) lines.push(line);
  return lines;
}

describe('readLines', () => {
  it('numbers lines, wherever the pieces end and characters are cut', async () => {
    const bytes = Buffer.from('{"a":"é🧪"}\n\n{"b":1}\r\n{"c":2}');
    for (let size = 1; size < bytes.length; size += 1) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(await linesOf(pieces)).toEqual([
        { line: 1, text: '{"a":"é🧪"}' },
        { line: 3, text: '{"b":1}' },
        { line: 4, text: '{"c":2}' },
      ]);
    }
    expect(await linesOf([])).toEqual([]);
  });

  it('refuses a line that is too long before it has all of it, and what is no text', async () => {
    await expect(linesOf(['{}\n', 'x'.repeat(60), 'x'.repeat(60)])).rejects.toThrow(
      'a.jsonl, line 2: is longer',
    );
    await expect(linesOf([Buffer.from([0x7b, 0xff])])).rejects.toThrow(
      'a.jsonl, line 1: is not text in UTF-8',
    );
  });
});
