/**
 * Function and question words of German, French and Spanish, without those that are words of English too ("die", "pour",
 * "son"). They say in which language a question is asked, and nothing about what.
 */
const FOREIGN = new Set(
  `der das dem ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind waren wird werden wurde
  wurden haben hatte habe kann können konnte darf dürfen muss müssen soll sollen wollen wie wer wen wem wann wo warum womit
  wofür woher wohin welche welcher welches welchen welchem wieviel viel viele ich du er sie wir ihr mich mir dich dir uns
  euch sich mein meine meinen meiner sein seine seinen ihre ihren unser unsere im auf aus bei bis für mit nach seit von vom
  zu zum zur über unter dass wenn ob auch nur noch schon dafür dabei davon dazu dann denn doch hier sehr gibt bitte
  le les un une du au aux et où mais ne pas est sont était être ont avoir elle ils elles nous vous je tu ses mes notre nos
  votre leur leurs ce cet cette ces qui que quoi dont quand comment combien pourquoi quel quelle quels quelles dans avec
  sans par chez vers très aussi fait faut
  el los las una unos unas del y pero era fue ser está están han yo tú él ellos nosotros mi mis su sus nuestro qué quién
  cuál cuáles cuándo cómo dónde cuánto cuánta cuántos cuántas para con sobre hasta desde más muy también lo`.split(
    /\s+/,
  ),
);

/** @param word as it is written, in any case */
export function isForeignFunctionWord(word: string): boolean {
  return FOREIGN.has(word.toLowerCase());
}
