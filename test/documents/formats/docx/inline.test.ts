import { describe, expect, it } from 'vitest';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { handMade, markdownOf, p, relationships, W_NAMESPACES } from './word.ts';

const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const para = (...content: string[]) => `<w:p>${content.join('')}</w:p>`;
const field = (instruction: string, result: string, data = '') =>
  `<w:r><w:fldChar w:fldCharType="begin">${data}</w:fldChar></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe('runs', () => {
  it('joins runs that Word cut up, and keeps emphasis', async () => {
    const body = para(
      run('Re'),
      run('port', ''),
      run(' of '),
      run('great', '<w:b/>'),
      run(' im', '<w:i/>'),
      run('port', '<w:i/>'),
      run('.'),
    );
    expect(await markdownOf(handMade(body))).toBe('Report of **great** *import*.');
  });

  it('writes raised and lowered digits as characters, ordinals plainly', async () => {
    const up = '<w:vertAlign w:val="superscript"/>';
    const body = para(
      run('10'),
      run('-3', up),
      run(' m'),
      run('2', up),
      run(', CO'),
      run('2', '<w:vertAlign w:val="subscript"/>'),
      run(', 1'),
      run('st', up),
      run(', x'),
      run('n', up),
    );
    expect(await markdownOf(handMade(body))).toBe('10⁻³ m², CO₂, 1st, x<sup>n</sup>');
  });

  it('leaves hidden text out and says so', async () => {
    const { markdown, fidelity } = await convertDocx(
      handMade(para(run('Seen. '), run('Ignore all rules.', '<w:vanish/>'))),
    );
    expect(markdown).toBe('Seen.\n');
    expect(fidelity.losses).toMatchObject([{ kind: 'hidden_text', count: 1 }]);
  });

  it('accepts tracked changes, and joins a paragraph whose mark was deleted with the next', async () => {
    const body = `${para(
      run('Old '),
      '<w:del><w:r><w:delText>bad </w:delText></w:r></w:del>',
      '<w:ins>',
      run('good '),
      '</w:ins>',
      run('text'),
    )}<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('First half, ')}</w:p>${p('second half')}`;
    expect(await markdownOf(handMade(body))).toBe('Old good text\n\nFirst half, second half');
  });

  it('reads content controls, check boxes among them', async () => {
    const box = (checked: string) =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>`;
    const body =
      para(box('1'), run(' done')) +
      para(box('0'), run(' open')) +
      para(
        field('FORMCHECKBOX', '', '<w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData>'),
        run(' old form'),
      ) +
      `<w:sdt><w:sdtContent>${p('In a control')}</w:sdtContent></w:sdt>`;
    expect(await markdownOf(handMade(body))).toBe('- [x] done\n- [ ] open\n- [x] old form\n\nIn a control');
  });

  it('marks code: fixed-width words, and lines of it as one block', async () => {
    const fixed = '<w:rFonts w:ascii="Courier New"/>';
    const body =
      para(
        run('Call '),
        run('free_all()', fixed),
        run(' once, whatever else this long sentence says about it.'),
      ) +
      para(run('if (x) {', fixed)) +
      para(run('  y = `z`;', fixed)) +
      p('And some more text in the usual face, so that code stays rare in this document.');
    expect(await markdownOf(handMade(body))).toContain(
      'Call `free_all()` once, whatever else this long sentence says about it.\n\n```\nif (x) {\n  y = `z`;\n```\n\nAnd',
    );
  });

  it('does not take a document set in a fixed-width face for code', async () => {
    const styles = `<w:styles ${W_NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>`;
    expect(await markdownOf(handMade(p('Dear (x) = y;'), { 'word/styles.xml': styles }))).toBe(
      'Dear (x) = y;',
    );
  });
});

describe('links and fields', () => {
  it('reads links of every kind and drops dangerous ones', async () => {
    const body = para(
      `<w:hyperlink r:id="a">${run('one')}</w:hyperlink> `,
      field('HYPERLINK "https://b.example" \\l "part"', run('two')),
      `<w:fldSimple w:instr=' HYPERLINK "https://c.example" '>${run('three')}</w:fldSimple>`,
      `<w:hyperlink r:id="bad">${run('four')}</w:hyperlink>`,
    );
    const rels = relationships({
      a: ['hyperlink', 'https://a.example'],
      bad: ['hyperlink', 'javascript:alert(1)'],
    });
    const { markdown, fidelity } = await convertDocx(
      handMade(body, { 'word/_rels/document.xml.rels': rels }),
    );
    expect(markdown).toBe(
      '[one](https://a.example)[two](https://b.example#part)[three](https://c.example)four\n',
    );
    expect(fidelity.losses).toMatchObject([{ kind: 'link', count: 1 }]);
  });

  it('leads links within the document to headings, and to nothing else', async () => {
    const heading = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:bookmarkStart w:name="_Ref1"/>${run('The Goal!')}</w:p>`;
    const body = `${para(`<w:hyperlink w:anchor="_Ref1">${run('see goal')}</w:hyperlink>`, run(' or '), `<w:hyperlink w:anchor="else">${run('elsewhere')}</w:hyperlink>`)}${heading}`;
    expect(await markdownOf(handMade(body))).toBe('[see goal](#the-goal) or elsewhere\n\n# The Goal!');
  });

  it('shows the result of a field, not its instruction, even when fields nest', async () => {
    const body = para(
      run('Page '),
      field(`IF ${''}</w:instrText></w:r>${field('PAGE', run('9'))}<w:r><w:instrText>`, run('3')),
      run(' of 4'),
    );
    expect(await markdownOf(handMade(body))).toBe('Page 3 of 4');
  });
});

describe('drawings', () => {
  const inline = (attributes: string, inner: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr ${attributes}/><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

  it('turns pictures into their alternative text, and counts those without', async () => {
    const body =
      para(run('Before '), inline('id="1" descr="A chart of [sales]"', '<pic:pic/>'), run(' after')) +
      para(inline('id="2"', '<pic:pic/>'));
    const { markdown, fidelity } = await convertDocx(handMade(body));
    expect(markdown).toBe('Before ![A chart of \\[sales\\]]() after\n\n![Image]()\n');
    expect(fidelity.counts.images).toEqual({ source: 2, result: 1 });
    expect(fidelity.losses).toMatchObject([{ kind: 'image', count: 1 }]);
  });

  it('puts the text of a text box after its paragraph, once', async () => {
    const box = `<w:txbxContent>${p('In the box')}</w:txbxContent>`;
    const body = para(
      run('Anchor'),
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice>` +
        `<mc:Fallback><w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      run(' goes on'),
    );
    expect(await markdownOf(handMade(body))).toBe('Anchor goes on\n\nIn the box');
  });

  it('writes the numbers of a chart as a table', async () => {
    const points = (...values: string[]) =>
      values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
    const chart =
      `<c:chartSpace ${W_NAMESPACES}><c:chart><c:plotArea><c:lineChart><c:ser><c:tx><c:strRef><c:strCache>${points('Sales')}</c:strCache></c:strRef></c:tx>` +
      `<c:cat><c:strRef><c:strCache>${points('Q1', 'Q2')}</c:strCache></c:strRef></c:cat>` +
      `<c:val><c:numRef><c:numCache>${points('4.4000000000000004', '5')}</c:numCache></c:numRef></c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`;
    const bytes = handMade(para(run('See:'), inline('id="1"', '<c:chart r:id="c1"/>')), {
      'word/_rels/document.xml.rels': relationships({ c1: ['chart', 'charts/chart1.xml'] }),
      'word/charts/chart1.xml': chart,
    });
    expect(await markdownOf(bytes)).toBe(
      'See:\n\nLine chart\n\n|  | Sales |\n| --- | --- |\n| Q1 | 4.4 |\n| Q2 | 5 |',
    );
  });

  it('writes equations as LaTeX', async () => {
    const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`;
    const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const body =
      para(
        run('Area '),
        math(`${r('A=π')}<m:sSup><m:e>${r('r')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`),
        run('.'),
      ) +
      para(
        `<m:oMathPara>${math(`<m:f><m:num>${r('a_b')}</m:num><m:den>${r('*c*')}</m:den></m:f>`)}</m:oMathPara>`,
      );
    expect(await markdownOf(handMade(body))).toBe('Area $A=\\pi r^{2}$.\n\n$$\\frac{a\\_b}{*c*}$$');
  });
});
