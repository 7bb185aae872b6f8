import { describe, expect, it } from 'vitest';
import { fidelityOf, lossesOf, markdownOf } from './page.ts';

describe('what is no text', () => {
  it('is left out without a word', () => {
    const html =
      '<!doctype html><head><style>p{}</style><script>"<p>no</p>"</script></head><body onload="x()">a<!-- b --><script>c()</script><template>d</template><noscript>e</noscript>';
    expect(markdownOf(html)).toBe('a');
    expect(fidelityOf(html)).toMatchObject({ score: 1, losses: [] });
  });

  it('is reported where something is missed', () => {
    const html =
      'a<iframe src="http://x">b</iframe><object>c</object><svg><text>d</text></svg><svg><path/></svg><video>e</video><select><option>f</select>';
    expect(markdownOf(html)).toBe('a');
    expect(lossesOf(html)).toEqual({ embedded_document: 2, graphic: 1, recording: 1, form_field: 1 });
  });
});

describe('what a browser hides', () => {
  it.each([
    '<p hidden>b</p>',
    '<div style="color: red; display : none">b</div>',
    '<span style="visibility:hidden">b</span>',
    '<dialog>b</dialog>',
  ])('is left out: %s', (html) => {
    expect(markdownOf(`<p>a</p>${html}`)).toBe('a');
    expect(lossesOf(`<p>a</p>${html}`)).toEqual({ hidden_text: 1 });
  });

  it.each([
    '<p aria-hidden="true">b</p>',
    '<p hidden="until-found">b</p>',
    '<details><summary>b</summary></details>',
    '<dialog open>b</dialog>',
  ])('is kept where people see it: %s', (html) => expect(markdownOf(`<p>a</p>${html}`)).toBe('a\n\nb'));
});

describe('what stands around the main content', () => {
  const around = '<header>site</header><nav>menu</nav>';
  const below = '<footer>imprint</footer>';

  it('is left out where the page says what is main', () => {
    for (const main of ['<main>a</main>', '<article>a</article>', '<div role="main">a</div>']) {
      expect(markdownOf(around + main + below)).toBe('a');
      expect(lossesOf(around + main + below)).toEqual({ header_footer: 2, navigation: 1 });
    }
  });

  it('is kept where it does not, or where nothing is in it', () => {
    expect(markdownOf(`${around}<p>a</p>${below}`)).toBe('site\n\nmenu\n\na\n\nimprint');
    expect(markdownOf(`${around}<main></main>${below}`)).toBe('site\n\nmenu\n\nimprint');
  });

  it('is kept within the main content, and around it when it was never closed', () => {
    expect(markdownOf('<article><header>by</header>a<nav>b</nav></article>')).toBe('by\n\na\n\nb');
    expect(markdownOf('<nav>menu<main>a</main>')).toBe('menu\n\na');
    expect(markdownOf('<main>a</main><aside>b</aside>')).toBe('a\n\nb');
  });
});
