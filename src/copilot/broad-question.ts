import type { Routing } from '../contract/routing.ts';
import type { Passage } from '../retrieval/passage.ts';

/*
 * Words that ask for a document as a whole, or for all of it on one matter, in the languages that are written most:
 * summing up, overviews, comparisons, "section by section", "what does the report recommend".
 */
const BROAD = new RegExp(
  [
    String.raw`\b(?:summar(?:y|i[sz]\w*|ies)|overviews?|outline|recap|gist|tl;?dr|compar(?:e|es|ing|ison\w*)|everything|throughout|overall)\b`,
    String.raw`\b(?:section by section|chapter by chapter|each (?:section|chapter)|every (?:section|chapter)|all (?:of )?(?:the|its)|(?:the )?(?:whole|entire|full) (?:document|report|file|text|paper)|key (?:points|findings|messages|takeaways)|main (?:points|findings|messages|arguments)|takeaways|conclusions?|recommend(?:s|ed|ations?)?)\b`,
    String.raw`\b(?:zusammenfass\p{L}*|fass\p{L}* .{0,80}\bzusammen|überblick|übersicht|gesamt\p{L}*|alle[nrs]? (?:die|der|den|abschnitte|kapitel)|jede[nrs]? (?:abschnitt|kapitel)|abschnitt für abschnitt|vergleich\p{L}*|empf(?:ie|e)hl\p{L}*|kernaussagen|schlussfolgerung\p{L}*)`,
    String.raw`\b(?:résum\p{L}*|synthèse|synthétis\p{L}*|aperçu|vue d.ensemble|tou(?:s|tes) les|section par section|compar\p{L}*|recommand\p{L}*|points clés)`,
    String.raw`\b(?:resum\p{L}*|visión general|panorama|tod[oa]s (?:los|las|os|as)|sección por sección|recom(?:ie)?end\p{L}*|puntos clave|visão geral|seção por seção)`,
    String.raw`\b(?:riassum\p{L}*|riassunto|panoramica|tutt[ie] (?:i|le|gli)|confront\p{L}*|raccomand\p{L}*|samenvat\p{L}*|overzicht|vergelijk\p{L}*|aanbevel\p{L}*|alle (?:de|hoofdstukken))`,
    String.raw`(?:^|[^\p{L}])(?:обзор|кратко|перескаж\p{L}*|сравн\p{L}*|рекоменд\p{L}*|podsumuj|podsumowanie|porówn\p{L}*|sammanfatt\p{L}*|översikt|jämför\p{L}*)`,
    '总结|總結|概述|概括|摘要|比较|比較|全部|所有|逐节|逐章|建议|建議|要約|概要|まとめ|すべて|全体|요약|개요|비교|전체',
  ].join('|'),
  'iu',
);

/**
 * So many passages of one file, of nearly the same worth: no single one answers. By reciprocal ranks alone the sixth has
 * two thirds of the first's score, so that this takes two rankings that do not agree on any.
 */
const ALIKE = { count: 6, share: 0.85 };

/** Whether a question asks, by its words, for a document as a whole, or for all of several on one matter. */
export const asksBroadly = (question: string): boolean => BROAD.test(question);

/** Whether a message asks for more than single places: a whole document, or what several of its sections say together. */
export function isBroadQuestion(
  message: string,
  decision: Pick<Routing, 'action'> | null,
  passages: readonly Passage[],
): boolean {
  if (decision?.action === 'synthesise' || asksBroadly(message)) return true;
  const [best] = passages;
  if (!best) return false;
  const alike = passages.filter(
    ({ source, filename, rank_score }) =>
      source === best.source && filename === best.filename && rank_score >= ALIKE.share * best.rank_score,
  );
  return alike.length >= ALIKE.count;
}
