const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A full stop behind one of these ends no sentence: titles, and abbreviations that something must follow. */
const ABBREVIATED =
  /(?:^|[\s(“"])(?:Dr|Prof|Mr|Mrs|Ms|Mx|St|Sr|Jr|Hr|Fr|Dipl|Ing|Nr|No|Art|Abs|approx|ca|vs|resp|bzw|evtl|inkl|z\.\s?B|d\.\s?h|u\.\s?a|e\.g|i\.e|cf|[A-Z])\.\s*$/u;
/** A day of a month in German, Danish, Norwegian, Czech: "1. März". */
const DAY = /(?:^|[\s(])\d{1,2}\.\s*$/u;
const MONTH =
  /^(?:\p{Ll}|Jan(?:uar|\b)|Feb(?:ruar|\b)|März|Apr(?:il|\b)|Mai|Jun[ai]|Jul[ai]|Aug(?:ust|\b)|Sep(?:tember|\b)|O[kc]t|Nov(?:ember|\b)|De[zc])/u;

/** The sentences of a paragraph, each a stretch of it, with the blanks behind it. A line's end is a blank like any other. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = '';
  // the segmenter ends a sentence at a line's end, which in Markdown means nothing
  for (const { index, segment } of segmenter.segment(paragraph.replaceAll('\n', ' '))) {
    const end = index + segment.length;
    open += paragraph.slice(index, end);
    if (ABBREVIATED.test(open) || (DAY.test(open) && MONTH.test(paragraph.slice(end)))) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}
