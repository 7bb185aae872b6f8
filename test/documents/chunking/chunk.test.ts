import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../src/contract/chunking.ts';
import { chunkDocument } from '../../../src/documents/chunking/chunk.ts';
import type { DocumentFormat } from '../../../src/documents/formats/registry.ts';
import { countTokens } from '../../../src/text/tokens.ts';
import { parseDocument } from '../../helpers/parse-document.ts';
import { paragraphs, prose } from '../../helpers/prose.ts';

const chunk = (markdown: string, format: DocumentFormat = 'markdown', sizes: Record<string, number> = {}) =>
  chunkDocument(parseDocument({ text: markdown, format }), {
    filename: 'plan.md',
    chunking: chunkingSchema.parse({ strategy: 'hierarchical', ...sizes }),
  });
const outline = (document: ReturnType<typeof chunk>) =>
  document.leaves.map(({ headerPath }) => headerPath.join(' > '));

describe('chunkDocument: sections', () => {
  it('gives each section its heading path, level and range', () => {
    const markdown = '# A\n\nintro\n\n### C *one*\n\ntext\n\n## B\n\n#### deep\n\n# D\n';
    const sections = chunk(markdown).sections.map(({ headerPath, level, charStart, charEnd }) => [
      headerPath,
      level,
      markdown.slice(charStart, charEnd),
    ]);
    expect(sections).toEqual([
      [['A'], 1, '# A\n\nintro\n\n'],
      [['A', 'C one'], 3, '### C *one*\n\ntext\n\n'],
      [['A', 'B'], 2, '## B\n\n#### deep\n\n'],
      [['D'], 1, '# D\n'],
    ]);
  });

  it('takes headings as plain text of one bounded line', () => {
    const titles = [
      '## **Bold** `code` [link](http://x) ![alt](y) <a name="z"></a>A &amp; B\n',
      'two\nlines\n---\n',
    ];
    const [first, second, third] = chunk(`${titles.join('\n')}\n## ${'long '.repeat(100)}\n`).sections;
    expect(first?.headerPath).toEqual(['Bold code link alt A & B']);
    expect(second?.headerPath).toEqual(['two lines']);
    expect(third?.headerPath[0]).toHaveLength(200);
    expect(third?.headerPath[0]).toMatch(/^long .* long…$/);
  });

  it.each(['', ' \n\t\n', '\ufeff', '\ufeff\r\n'])('has nothing to say about %j', (markdown) => {
    expect(chunk(markdown)).toEqual({ sections: [], parents: [], leaves: [] });
  });

  it('keeps what comes before the first heading, front matter too, and puts it with the first section', () => {
    const markdown = `\ufeff---\ntitle: A\n---\n# Title\n\n${prose(1, 20)}\n`;
    const { sections, leaves, parents } = chunk(markdown);
    expect(sections.map(({ headerPath, level }) => [headerPath, level])).toEqual([
      [[], 0],
      [['Title'], 1],
    ]);
    expect(leaves.map(({ headerPath, text }) => [headerPath, text])).toEqual([
      [['Title'], markdown.slice(1, -1)],
    ]);
    expect(parents[0]?.text).toBe(markdown.slice(1, -1));
  });
});

describe('chunkDocument: short sections', () => {
  const short = prose(1, 3);
  const long = prose(2, 15);

  it('merges a section under the minimum with its next sibling, under the path they share', () => {
    const { leaves, parents } = chunk(
      `# T\n\n${long}\n\n## A\n\n${short}\n\n## B\n\n${long}\n\n## C\n\n${long}\n`,
    );
    expect(outline({ sections: [], parents, leaves })).toEqual(['T', 'T', 'T > C']);
    expect(leaves[1]?.text).toBe(`## A\n\n${short}\n\n## B\n\n${long}`);
    expect(parents).toHaveLength(3);
  });

  it('merges the last sibling with the one before if both fit into a leaf of the usual size', () => {
    const { leaves } = chunk(`## A\n\n${long}\n\n## B\n\n${short}\n\n# C\n\n${long}\n`);
    expect(leaves.map(({ text }) => text.match(/#+ \w/g))).toEqual([['## A', '## B'], ['# C']]);
    const apart = chunk(`## A\n\n${prose(3, 19)}\n\n## B\n\n${short}\n\n# C\n\n${long}\n`);
    expect(outline(apart)).toEqual(['A', 'B', 'C']);
  });

  it('does not merge across levels, so that heading paths stay exact', () => {
    const document = chunk(`# A\n\n${short}\n\n## B\n\n${short}\n\n### C\n\n${short}\n\n# D\n\n${long}\n`);
    expect(outline(document)).toEqual(['A', 'A > B', 'A > B > C', 'D']);
  });

  it('never makes a leaf of headings alone', () => {
    const document = chunk(
      `# A\n\n## B\n\n---\n\n### C\n\n${short}\n\n## D\n\n# E\n\n## F\n\n${short}\n\n## G\n`,
    );
    expect(document.leaves.map(({ headerPath, text }) => [headerPath, text.match(/#+ \w/g)])).toEqual([
      [
        ['A', 'B', 'C'],
        ['# A', '## B', '### C', '## D'],
      ],
      [
        ['E', 'F'],
        ['# E', '## F', '## G'],
      ],
    ]);
  });
});

describe('chunkDocument: long sections', () => {
  it('leaves a section whole up to two fifths of the maximum, and cuts a longer one', () => {
    const markdown = `# A\n\n${prose(1, 10)}\n\n${prose(2, 10)}`;
    expect(countTokens(markdown)).toBeGreaterThan(150);
    expect(countTokens(markdown)).toBeLessThanOrEqual(200);
    expect(chunk(markdown).leaves.map(({ text }) => text)).toEqual([markdown]);
    const longer = chunk(`${markdown}\n\n${prose(3, 12)}`).leaves;
    expect(longer.length).toBeGreaterThan(1);
    for (const { tokens } of longer) expect(tokens).toBeLessThanOrEqual(200);
  });

  it('keeps a section under twice the minimum whole, whatever the maximum', () => {
    const markdown = `# A\n\n${prose(1, 30)}`;
    const sizes = { leaf_min_tokens: 200, leaf_max_tokens: 400 };
    expect(chunk(markdown, 'markdown', sizes).leaves).toHaveLength(1);
    expect(chunk(markdown, 'markdown', { ...sizes, leaf_min_tokens: 50 }).leaves.length).toBeGreaterThan(1);
  });

  it('looks for more ends in a sentence that is too long for one, and keeps it whole where there is none', () => {
    const rows = Array.from({ length: 60 }, (_, i) => `net revenue ${i} | $${i}.0`).join('\n');
    const table = chunk(rows).leaves;
    expect(table.length).toBeGreaterThan(2);
    for (const { text, oversized } of table) {
      expect(text).toMatch(/^net revenue .*\.0$/s);
      expect(oversized).toBe(false);
    }
    const endless = prose(2, 1, 250);
    expect(chunk(endless).leaves.map(({ text }) => text)).toEqual([endless]);
  });

  it('cuts a longer one at paragraphs, the first with the heading', () => {
    const parts = Array.from({ length: 12 }, (_, i) => prose(i, 14));
    const { leaves, parents } = chunk(`# A\n\n${parts.join('\n\n')}`);
    expect(leaves.map(({ text }) => text)).toEqual([`# A\n\n${parts[0]}`, ...parts.slice(1)]);
    expect(parents.map(({ text, headerPath }) => [text, headerPath])).toEqual([
      [`# A\n\n${parts.join('\n\n')}`, ['A']],
    ]);
  });

  it('cuts a paragraph that is too long between sentences', () => {
    const markdown = prose(1, 200);
    const { leaves } = chunk(markdown);
    expect(leaves.length).toBeGreaterThan(5);
    for (const leaf of leaves) {
      expect(leaf.text).toMatch(/^[A-Z].*\.$/);
      expect(leaf.oversized).toBe(false);
      expect(leaf.tokens).toBeLessThanOrEqual(500);
    }
  });

  it('cuts a sentence that is too long between words, and says so', () => {
    const markdown = `# A\n\n${prose(1, 14)}\n\n${prose(2, 1, 1_200)}\n`;
    const { leaves } = chunk(markdown);
    const cut = leaves.filter(({ oversized }) => oversized);
    expect(cut.length).toBeGreaterThan(2);
    expect(leaves[0]?.oversized).toBe(false);
    for (const { charStart, charEnd, tokens } of cut) {
      expect(tokens).toBeLessThanOrEqual(500);
      expect(markdown.charAt(charStart - 1)).toMatch(/\s/);
      expect(markdown.charAt(charEnd)).toMatch(/\s/);
    }
  });

  it.each(['a', '中', '👍', 'e\u0301', '\u0800'])(
    'cuts a run of %j without spaces between characters',
    (run) => {
      const { leaves } = chunk(run.repeat(5_000));
      expect(leaves.map(({ text }) => text).join('')).toBe(run.repeat(5_000));
      for (const { text, oversized } of leaves) {
        expect(oversized).toBe(true);
        expect(text.isWellFormed()).toBe(true);
        expect(countTokens(text)).toBeLessThanOrEqual(500);
      }
    },
  );

  it('repeats the header of a table in HTML that is cut', () => {
    const header =
      '<table>\n<tr><th rowspan="2">Part</th><th colspan="2">Stock</th></tr>\n<tr><th>here</th><th>there</th></tr>\n';
    const rows = Array.from({ length: 60 }, (_, i) => `<tr><td>Bolt ${i}</td><td>${i}</td><td>2</td></tr>\n`);
    const { leaves } = chunk(`${header}${rows.join('')}</table>\n`);
    expect(leaves.length).toBeGreaterThan(2);
    for (const { text } of leaves) expect(text.startsWith(header)).toBe(true);
  });

  it('keeps the boxes of tasks as they are', () => {
    const list = '- [ ] restore\n- [x] backup\n\n  of both disks\n  1. [X] first';
    expect(chunk(`# Go-live\n\n${list}\n`).leaves[0]?.text).toBe(`# Go-live\n\n${list}`);
  });

  it('repeats the header of a table that is cut', () => {
    const rows = Array.from({ length: 60 }, (_, i) => `| ${i} | ${prose(i, 1, 12)} |\n`);
    const header = '| No | Text |\n| --- | --- |\n';
    const markdown = `# A\n\n${header}${rows.join('')}`;
    const { leaves } = chunk(markdown);
    expect(leaves.length).toBeGreaterThan(2);
    expect(leaves[0]?.text.startsWith(`# A\n\n${header}`)).toBe(true);
    for (const leaf of leaves.slice(1)) {
      const own = markdown.slice(leaf.charStart, leaf.charEnd);
      expect(leaf.text).toBe(header + own);
      expect(own).toMatch(/^\| \d+ \|/);
      expect(own).toMatch(/\|$/);
      expect(leaf.tokens).toBe(countTokens(`${leaf.text}\n`));
      expect(leaf.tokens).toBeLessThanOrEqual(500);
    }
  });

  it('keeps a fence whole up to the parent maximum, and cuts a longer one at lines', () => {
    const fence = (lines: number) =>
      `\`\`\`ts\n${Array.from({ length: lines }, (_, i) => `const value${i} = ${i};\n`).join('')}\`\`\``;
    const whole = chunk(`# A\n\n${prose(1, 14)}\n\n${fence(120)}\n\n${prose(2, 14)}\n`);
    expect(whole.leaves.map(({ text, oversized }) => [text.includes('```'), oversized])).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
    expect(whole.leaves[1]?.text).toBe(fence(120));
    expect(whole.leaves[1]?.tokens).toBeGreaterThan(500);

    const cut = chunk(fence(900));
    expect(cut.leaves.map(({ text }) => text).join('\n')).toBe(fence(900));
    expect(cut.leaves.every(({ oversized, tokens }) => oversized && tokens <= 500)).toBe(true);
  });

  it('never ends a leaf with a heading, nor parts a list from the line that announces it', () => {
    const list = Array.from({ length: 12 }, (_, i) => `- ${prose(i, 1)}`).join('\n');
    const part = (i: number) => `#### Part ${i}\n\n${prose(i, 8)} These are:\n\n${list}`;
    const { leaves } = chunk(`# A\n\n${Array.from({ length: 8 }, (_, i) => part(i)).join('\n\n')}`);
    expect(leaves.length).toBeGreaterThan(4);
    for (const { text } of leaves) expect(text.split('\n').at(-1)).not.toMatch(/^#|:$/);
  });
});

describe('chunkDocument: parents', () => {
  it('makes several parents of a section that is too long for one, each of whole leaves', () => {
    const markdown = `# A\n\n${paragraphs(1, 120)}\n\n# B\n\n${paragraphs(2, 4)}\n`;
    const { parents, leaves } = chunk(markdown);
    expect(parents.length).toBeGreaterThan(3);
    expect(parents.at(-1)?.headerPath).toEqual(['B']);
    for (const parent of parents) {
      const own = leaves.filter(({ parentId }) => parentId === parent.id);
      expect(parent.text).toBe(markdown.slice(parent.charStart, parent.charEnd));
      expect([own[0]?.charStart, own.at(-1)?.charEnd]).toEqual([parent.charStart, parent.charEnd]);
      expect(countTokens(parent.text)).toBeLessThanOrEqual(2_000);
      expect(parent.breadcrumb).toBe(`[Source: plan.md > ${parent.headerPath.join(' > ')}]`);
    }
    expect(parents.slice(0, -1).every(({ tokens }) => tokens >= 500)).toBe(true);
  });

  it('knows the page that each part starts on', () => {
    const pages = Array.from({ length: 6 }, (_, i) => `${paragraphs(i, 10)}\n\n`);
    const pageStarts = pages.map((_, i) => pages.slice(0, i).join('').length);
    const document = parseDocument({ text: pages.join(''), format: 'pdf', pageStarts });
    const { sections, leaves, parents } = chunkDocument(document, {
      filename: 'a.pdf',
      chunking: chunkingSchema.parse({ strategy: 'hierarchical' }),
    });
    expect(sections.map(({ page }) => page)).toEqual([1]);
    expect(parents.length).toBeGreaterThan(1);
    for (const { page, charStart } of [...leaves, ...parents]) {
      expect(page).toBe(pageStarts.filter((start) => start <= charStart).length);
    }
    expect(chunk(pages.join(''), 'text').leaves.every(({ page }) => page === null)).toBe(true);
  });
});

describe('chunkDocument: sizes', () => {
  it('keeps to the sizes it is given', () => {
    const sizes = { leaf_min_tokens: 20, leaf_max_tokens: 60, parent_max_tokens: 200 };
    const { leaves, parents } = chunk(`# A\n\n${paragraphs(1, 40)}`, 'markdown', sizes);
    expect(leaves.every(({ tokens }) => tokens >= 20 && tokens <= 60)).toBe(true);
    expect(parents.every(({ tokens }) => tokens <= 200)).toBe(true);
  });

  it('puts U+FFFD for NUL, so that offsets stay what they were', () => {
    const { leaves, sections } = chunk('# A\0B\n\ntext\0 here 👍\r\nend');
    expect(leaves[0]).toMatchObject({ charStart: 0, text: '# A\ufffdB\n\ntext\ufffd here 👍\r\nend' });
    expect(sections[0]?.headerPath).toEqual(['A\ufffdB']);
  });
});
