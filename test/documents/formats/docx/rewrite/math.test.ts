import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../../src/documents/formats/docx/package/xml.ts';
import { mathToLatex } from '../../../../../src/documents/formats/docx/rewrite/math.ts';

const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (text: string) => `<m:e>${r(text)}</m:e>`;
const latex = (inner: string) => mathToLatex(parseXml(`<m:oMath>${inner}</m:oMath>`));

describe('mathToLatex', () => {
  it.each([
    ['symbols', r('α≤β×50%'), '\\alpha \\leq \\beta \\times 50\\%'],
    ['letters of the mathematical alphabets', r('𝑎+𝐁'), 'a+B'],
    ['fractions', `<m:f><m:num>${r('1')}</m:num><m:den>${r('x')}</m:den></m:f>`, '\\frac{1}{x}'],
    [
      'fractions on a line',
      `<m:f><m:fPr><m:type m:val="lin"/></m:fPr><m:num>${r('1')}</m:num><m:den>${r('x')}</m:den></m:f>`,
      '1/x',
    ],
    [
      'scripts',
      `<m:sSubSup>${e('x')}<m:sub>${r('i')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`,
      'x_{i}^{2}',
    ],
    ['scripts on more than a letter', `<m:sSup>${e('ab')}<m:sup>${r('2')}</m:sup></m:sSup>`, '{ab}^{2}'],
    ['roots', `<m:rad><m:deg>${r('3')}</m:deg>${e('x')}</m:rad>`, '\\sqrt[3]{x}'],
    [
      'square roots',
      `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e('x')}</m:rad>`,
      '\\sqrt{x}',
    ],
    [
      'sums',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e('i')}</m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    [
      'integrals without bounds',
      `<m:nary><m:naryPr><m:subHide m:val="1"/><m:supHide m:val="1"/></m:naryPr><m:sub/><m:sup/>${e('x')}</m:nary>`,
      '\\int x',
    ],
    [
      'brackets',
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>${e('a')}${e('b')}</m:d>`,
      '\\left[a|b\\right.',
    ],
    ['functions', `<m:func><m:fName>${r('sin')}</m:fName>${e('x')}</m:func>`, '\\sin{x}'],
    [
      'limits',
      `<m:func><m:fName><m:limLow>${e('lim')}<m:lim>${r('n→∞')}</m:lim></m:limLow></m:fName>${e('x')}</m:func>`,
      '\\lim_{n\\to \\infty }{x}',
    ],
    [
      'functions of other names',
      `<m:func><m:fName>${r('argmax')}</m:fName>${e('x')}</m:func>`,
      '\\operatorname{argmax}{x}',
    ],
    ['accents', `<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr>${e('v')}</m:acc>`, '\\vec{v}'],
    [
      'matrices',
      `<m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m>`,
      '\\begin{matrix}a & b \\\\ c & d\\end{matrix}',
    ],
    ['systems', `<m:eqArr>${e('x=1')}${e('y=2')}</m:eqArr>`, '\\begin{aligned}x=1 \\\\ y=2\\end{aligned}'],
    [
      'what it does not know, by its content',
      `<m:box><m:boxPr><m:x>${r('no')}</m:x></m:boxPr>${e('yes')}</m:box>`,
      'yes',
    ],
  ])('writes %s', (_, xml, expected) => expect(latex(xml)).toBe(expected));
});
