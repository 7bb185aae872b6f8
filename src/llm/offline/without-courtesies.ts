import { courtesyOf } from './courtesies.ts';
import { isFiller } from './filler.ts';

// Not at quotation marks: what is quoted is content, however polite.
const CLAUSE = /[^,.;:!?…\n。，、！？；：]*[,.;:!?…\n。，、！？；：]*/gu;
const MOST_CLAUSES = 4;
const LONGEST_CLAUSE = 120;

/** What leads to a question without being a part of it; `^` and the blank behind are added. */
const LEADS = [
  'sorry (?:to|for) (?:bother|disturb|interrupt)\\w*(?: you)?(?: (?:again|once more))?,? (?:but|and)?',
  '(?:can|could|would|will) (?:you|u) (?:please |kindly |maybe |perhaps |just |quickly )*(?:tell|remind) (?:me|us)(?: please)?(?: again)?',
  '(?:please |pls |just )*(?:tell|remind) (?:me|us)(?: please)?',
  '(?:please |pls )?(?:let (?:me|us) know)(?: please)?',
  "(?:i|we)(?:'d|’d| would| want)(?: really)?(?: like| love)? to (?:know|ask(?: you)?|find out)",
  '(?:do|would) you (?:happen to |by any chance )?know',
  '(?:may|can|could) (?:i|we) (?:please )?ask(?: you)?',
  "(?:i was|i'm|i am|we were) (?:just )?wondering",
  'please|pls|kindly|bitte|por favor|per favore|svp|пожалуйста',
  '(?:kannst|könntest|würdest) du (?:mir |uns )?(?:bitte )?(?:mal |kurz )*(?:sagen|verraten)',
  '(?:können|könnten|würden) sie (?:mir |uns )?(?:bitte )?(?:mal |kurz )*(?:sagen|verraten)',
  '(?:sag|sagen sie|verrate?|verraten sie) (?:mir|uns)(?: (?:bitte|mal|doch))*',
  '(?:ich (?:möchte|würde|hätte)|wir (?:möchten|würden))(?: (?:gern|gerne|mal))* wissen',
  '(?:weißt du|wissen sie)(?: (?:zufällig|vielleicht))?',
  "(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous) (?:s'il (?:te|vous) plaît )?(?:me|nous) dire",
  "dis-moi|dites-moi|je voudrais savoir|j'aimerais savoir",
  '(?:puedes|podrías|puede|podría) (?:por favor )?decirme|dime|dígame|me gustaría saber|quisiera saber',
  '(?:puoi|potresti|può|potrebbe) (?:per favore )?dirmi|dimmi|mi dica|vorrei sapere',
  '(?:pode|poderia|podes) (?:por favor )?(?:me dizer|dizer-me)|diga-me|gostaria de saber',
  '(?:kun je|kunt u|zou je|zou u) (?:me|mij) (?:alsjeblieft |alstublieft )?(?:zeggen|vertellen)|zeg (?:me|mij)|ik wil graag weten',
  '(?:możesz|mógłbyś|proszę) mi powiedzieć|powiedz mi|скажи(?:те)?(?: пожалуйста)?|подскажи(?:те)?(?: пожалуйста)?',
].map((lead) => new RegExp(`^\\s*(?:${lead})(?:[,:]?\\s+|[,:])`, 'iu'));
const TAIL =
  /[,\s]+(?:please|pls|plz|bitte|svp|s['’]il (?:te|vous) plaît|por favor|per favore|alsjeblieft|alstublieft|пожалуйста|thanks|thank you|danke)\s*([.!?。！？]*)\s*$/iu;
const CONJUNCTION = /^\s*(?:but|and|so|also|aber|und|also)\s+/iu;
/** What joined the content to a courtesy behind it. */
const LOOSE = /[,;:，、；：]$/u;
const WORD = /[\p{L}\p{N}]/u;

/**
 * A message without the courtesies around what it says or asks: greetings, thanks and apologies before and after it, "could
 * you please tell me", "please". Nothing is taken out of its middle, and a message that is nothing but courtesy stays.
 */
export function withoutCourtesies(message: string): string {
  const clauses = message.match(CLAUSE)?.filter((clause) => clause !== '') ?? [];
  let start = 0;
  let end = clauses.length;
  while (start < Math.min(end, MOST_CLAUSES) && isCourtesy(clauses[start])) start += 1;
  while (end > start && clauses.length - end < MOST_CLAUSES && isCourtesy(clauses[end - 1])) end -= 1;
  const rest = clauses.slice(start, end).join('').trim();
  const content = withoutTail(withoutLead(start > 0 ? rest.replace(CONJUNCTION, '') : rest)).replace(
    LOOSE,
    '',
  );
  return WORD.test(content) ? content : message;
}

function isCourtesy(clause = ''): boolean {
  if (clause.length > LONGEST_CLAUSE) return false;
  if (!WORD.test(clause)) return true;
  return courtesyOf(clause) !== null;
}

function withoutLead(text: string): string {
  let rest = text;
  for (let found = true; found; ) {
    const lead = LEADS.find((pattern) => pattern.test(rest));
    found = lead !== undefined;
    if (lead) rest = rest.replace(lead, '');
  }
  // "tell me more, please" leaves nothing that could be looked up
  return isFiller(rest) ? text : rest;
}

const withoutTail = (text: string): string => text.replace(TAIL, '$1');
