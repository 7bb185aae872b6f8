const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A full stop behind one of these ends no sentence: titles, and abbreviations that something must follow. */
const ABBREVIATED =
  /(?:^|[\s(“"])(?:Dr|Prof|Mr|Mrs|Ms|Mx|St|Sr|Jr|Hr|Fr|Dipl|Ing|Nr|No|Art|Abs|approx|ca|vs|resp|bzw|evtl|inkl|z\.\s?B|d\.\s?h|u\.\s?a|e\.g|i\.e|cf|[A-Z])\.\s*$/u;

/** The sentences of a paragraph, each a stretch of it, with the blanks behind it. A line's end is a blank like any other. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = '';
  // the segmenter ends a sentence at a line's end, which in Markdown means nothing
  for (const { index, segment } of segmenter.segment(paragraph.replaceAll('\n', ' '))) {
    open += paragraph.slice(index, index + segment.length);
    if (ABBREVIATED.test(open)) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}
