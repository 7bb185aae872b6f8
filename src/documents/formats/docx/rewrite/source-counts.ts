import { countLetters } from '../../to-markdown/letters.ts';
import { child, descendants, elements, findAll, ownText, toggle } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** Letters and digits that a reader of the document sees, without those of hidden text. */
export function visibleLetters(root: XmlElement): number {
  let letters = 0;
  for (const run of descendants(root)) {
    if (run.name !== 'w:r' || toggle(child(run, 'w:rPr'), 'w:vanish') === true) continue;
    for (const node of elements(run)) if (node.name === 'w:t') letters += countLetters(ownText(node));
  }
  return letters;
}

/** Links to other places that have something to click on. */
export function countLinks(content: readonly XmlNode[], targets: ReadonlyMap<string, string>): number {
  let links = 0;
  for (const node of content) {
    if (typeof node === 'string') continue;
    for (const link of findAll(node, 'w:hyperlink')) {
      const target = targets.get(link.attributes.get('r:id') ?? '') ?? '#';
      if (!target.startsWith('#') && findAll(link, 'w:t').some((text) => ownText(text).trim() !== ''))
        links += 1;
    }
  }
  return links;
}
