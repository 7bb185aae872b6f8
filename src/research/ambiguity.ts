import type { Candidate } from '../contract/research.ts';

/*
 * Which file a question means is never guessed: "my brief" with two briefs is asked back, by rule and before any model is
 * called. The rule is narrow, because a question back that was not needed is as bad as a guess: a determiner, and behind it
 * a noun for a kind of document that stands in the names of several files.
 */

/** A reference that several files fit. */
export interface Ambiguity {
  /** As the question has it: `my brief`. */
  reference: string;
  candidates: Candidate[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What makes a noun refer to a thing that both sides know: possessives, articles, demonstratives. */
const DETERMINERS = words(`my our your the this that
  mein meine meinen meinem meiner meines unser unsere unseren unserem unserer unseres der die das den dem des dieser diese
  dieses diesen diesem
  mon ma notre le la ce cet cette mi nuestro nuestra el este esta il lo mio mia nostro nostra questo questa meu minha
  mijn onze ons de het deze dit`);
/** In front of a determiner: all of them are meant, not one. */
const ALL_OF_THEM = words(
  'all both each every any alle beide jede jeder jedes tous toutes todos todas tutti tutte allebei',
);
/** Nouns for kinds of documents. A question on "the customer" or "our budget" is about these, not about a file. */
const DOCUMENT_NOUNS =
  words(`brief briefing report memo memorandum notes note minutes transcript plan proposal summary
  spec specification paper presentation deck slides survey interview interviews questionnaire forecast roadmap agenda
  contract agreement letter checklist review analysis study statement draft handbook manual guide guideline guidelines
  whitepaper policy protocol spreadsheet sheet invoice quote charter
  bericht notizen notiz protokoll vorschlag zusammenfassung präsentation umfrage interviews fragebogen prognose vertrag
  angebot gutachten studie analyse entwurf handbuch leitfaden richtlinie konzept rechnung
  rapport mémo compte-rendu plan proposition résumé contrat étude ébauche manuel guide sondage
  informe nota notas propuesta resumen contrato estudio borrador encuesta relazione rapporto proposta riassunto contratto
  relatório proposta resumo verslag voorstel samenvatting`);
/** In front of a noun: says which one only to who knows them. Any other word that no name has makes it another thing. */
const NEUTRAL =
  words(`latest newest new old last first current recent whole entire own short long final draft updated
  revised original uploaded own attached
  neue neuen neuer neues letzte letzten letzter aktuelle aktuellen ganze ganzen eigene eigenen kurze kurzen
  nouveau nouvelle dernier dernière actuel nuevo nueva último última nuovo nuova ultimo ultima`);
/** Behind a noun: it is the head of its phrase, and not what qualifies another noun ("the report template"). */
const BEHIND_A_HEAD =
  words(`say says said show shows tell tells state states mention mentions describe describes cover covers
  contain contains recommend recommends conclude concludes propose proposes claim claims suggest suggests list lists name
  names give gives discuss discusses need needs argue argues include includes explain explains define defines mean means
  and or but of on in at to for from by with about as is are was were be been has have had does do did will would can could
  should may might must not please again now today first then too also here if so because who what which that when where why how
  sagt steht enthält nennt beschreibt zeigt empfiehlt schlägt erwähnt über zu zum zur von vom mit und oder ist sind war hat
  für in im aus bei nach an am wer was wie wo wann bitte jetzt nochmal
  dit montre de du des sur et ou est a dans pour dice muestra del sobre y es en para con che di e è sul da`);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
/** Words of a noun phrase behind its determiner, at most: "the latest policy brief". */
const LONGEST_PHRASE = 4;
const MOST_CANDIDATES = 20;
/** Phrases of a question that are tried: what it is about is said by then. */
const MOST_PHRASES = 50;

interface Word {
  text: string;
  /** Written with 's: what follows is its own, and another thing. */
  isPossessive: boolean;
  start: number;
  end: number;
}

/**
 * A reference in the question that several files fit, if there is one. A question that names one of them, or narrows it down by
 * another word of its name, has none.
 */
export function ambiguousReference(question: string, filenames: readonly string[]): Ambiguity | null {
  if (filenames.length < 2) return null;
  const files = filenames.map((filename) => ({ filename, tokens: tokensOf(filename) }));
  const asked = [...question.matchAll(WORD)].map((match): Word => {
    const written = match[0].toLowerCase().normalize('NFC');
    const text = written.replace(/['’]s$/, '');
    return { text, isPossessive: text !== written, start: match.index, end: match.index + match[0].length };
  });
  // a long question is a pasted text, which says the same again and again: each phrase is tried once
  const tried = new Set<string>();
  let named: ReadonlySet<string> | null = null;
  for (const [index, { text, start }] of asked.entries()) {
    if (tried.size === MOST_PHRASES) break;
    if (!DETERMINERS.has(text) || ALL_OF_THEM.has(asked[index - 1]?.text ?? '')) continue;
    const phrase = phraseBehind(question, asked, index);
    const head = phrase.at(-1);
    if (!head || !DOCUMENT_NOUNS.has(head.text)) continue;
    // what else the phrase says narrows it down, or makes it another thing
    const telling = phrase.slice(0, -1).filter((word) => !NEUTRAL.has(word.text));
    const said = [...telling, head].map((word) => word.text);
    if (tried.has(said.join(' '))) continue;
    tried.add(said.join(' '));
    const ofKind = files.filter(({ tokens }) => tokens.has(head.text));
    if (ofKind.length < 2) continue;
    named ??= namedIn(question, filenames);
    if (ofKind.some(({ filename }) => named?.has(filename))) continue;
    const fitting = ofKind.filter(({ tokens }) => telling.every((word) => tokens.has(word.text)));
    if (fitting.length < 2) continue;
    const why = `Its name has "${said.join('" and "')}".`;
    return {
      reference: question.slice(start, head.end),
      candidates: fitting.slice(0, MOST_CANDIDATES).map(({ filename }) => ({ filename, why })),
    };
  }
  return null;
}

/** The question back. */
export function clarification({ reference, candidates }: Ambiguity): string {
  const list = candidates.map(({ filename }) => `- ${filename}`).join('\n');
  return `"${reference}" can mean ${candidates.length} files. Which one do you mean?\n\n${list}`;
}

/** The words behind a determiner up to the head of its phrase, which is a noun for documents; empty when that is not clear. */
function phraseBehind(question: string, asked: readonly Word[], at: number): Word[] {
  const phrase: Word[] = [];
  let before = asked[at]?.end ?? 0;
  for (const word of asked.slice(at + 1, at + 1 + LONGEST_PHRASE)) {
    // a comma or a full stop ends a phrase
    if (!/^\s*$/.test(question.slice(before, word.start))) break;
    if (DETERMINERS.has(word.text) || (phrase.length > 0 && BEHIND_A_HEAD.has(word.text))) break;
    phrase.push(word);
    if (word.isPossessive) break;
    before = word.end;
  }
  return phrase;
}

const stemOf = (filename: string): string => filename.replace(/\.[^.]{1,8}$/, '');

const tokensOf = (filename: string): ReadonlySet<string> =>
  new Set(
    stemOf(filename)
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [],
  );

/** Words with single blanks around them. */
const flat = (text: string): string =>
  ` ${text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** The files whose name the question has, as it is or in words. */
function namedIn(question: string, filenames: readonly string[]): ReadonlySet<string> {
  const asked = flat(question);
  const isNamed = (filename: string): boolean => {
    const stem = flat(stemOf(filename));
    // a name of one word is in many questions: it counts with its ending only
    return asked.includes(flat(filename)) || (stem.trim().includes(' ') && asked.includes(stem));
  };
  return new Set(filenames.filter(isNamed));
}
