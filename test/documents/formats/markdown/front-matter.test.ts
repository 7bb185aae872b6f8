import { describe, expect, it } from 'vitest';
import { contentStart } from '../../../../src/documents/formats/markdown/front-matter.ts';

describe('contentStart', () => {
  it.each([
    ['no front matter', '# Title\n', ''],
    ['a byte order mark', '\ufeff# Title\n', '\ufeff'],
    ['front matter', '---\ntitle: A\n---\n# Title\n', '---\ntitle: A\n---\n'],
    ['front matter closed by dots', '---\ntitle: A\n...\nText', '---\ntitle: A\n...\n'],
    [
      'front matter behind a byte order mark, CRLF',
      '\ufeff---\r\na: b\r\n---\r\nText',
      '\ufeff---\r\na: b\r\n---\r\n',
    ],
    ['front matter with lone CR', '---\ra: b\r---\rText', '---\ra: b\r---\r'],
    [
      'a comment and a blank line before the first key',
      '---\n# c\n\na: b\n---\nText',
      '---\n# c\n\na: b\n---\n',
    ],
    ['empty front matter', '---\n---\nText', '---\n---\n'],
    ['two thematic breaks around prose', '---\nJust a line\n---\nText', ''],
    ['a thematic break and a heading', '---\n# Heading\n\nA sentence.\n\n---\n', ''],
    ['a heading between thematic breaks', '---\n# Heading\n---\nText', ''],
    ['front matter that is never closed', '---\ntitle: A\n# Heading\n', ''],
    ['an empty text', '', ''],
  ])('finds where the content starts: %s', (_, text, before) => {
    expect(text.slice(0, contentStart(text))).toBe(before);
  });
});
