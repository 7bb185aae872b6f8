import { THANKS_FOR } from './fillers.ts';
import { LATIN_SET_PHRASES } from './set-phrases-latin.ts';
import { SCRIPT_SET_PHRASES, UNSPACED_SET_PHRASES } from './set-phrases-scripts.ts';
import { wordsOf } from './words.ts';

/** What a courtesy is for. */
export type Courtesy = 'greeting' | 'thanks' | 'farewell' | 'apology' | 'request';

const phrasesOf = (list: string): string[] => list.split('|').map((phrase) => wordsOf(phrase).join(' '));
const setPhrases = (purpose: 'greeting' | 'farewell' | 'apology'): string[] =>
  Object.values({ ...LATIN_SET_PHRASES, ...SCRIPT_SET_PHRASES, ...UNSPACED_SET_PHRASES }).flatMap(
    (language) => phrasesOf(language[purpose]),
  );

/** Every courtesy by its purpose, in the languages of the set phrases. An earlier purpose goes before a later one. */
const COURTESIES: [Courtesy, ReadonlySet<string>][] = [
  [
    'thanks',
    new Set(
      phrasesOf(
        `thanks | thank you | thx | thanx | tnx | ty | tysm | thank you very much | many thanks | cheers | much appreciated |
        appreciate it | danke | danke schön | dankeschön | vielen dank | besten dank | herzlichen dank | merci | merci beaucoup |
        merci bien | gracias | muchas gracias | mil gracias | grazie | grazie mille | molte grazie | obrigado | obrigada |
        muito obrigado | muito obrigada | valeu | dank je | dank je wel | dankjewel | dank u | dank u wel | bedankt | dziękuję |
        bardzo dziękuję | dzięki | спасибо | большое спасибо | спасибо большое | благодарю | дякую | щиро дякую | děkuji | díky |
        tack | tack så mycket | tak | mange tak | takk | tusen takk | kiitos | teşekkürler | teşekkür ederim | mulțumesc |
        köszönöm | ευχαριστώ | شكرا | תודה | धन्यवाद | terima kasih | cảm ơn | ありがとう | ありがとうございます | 谢谢 | 謝謝 | 多谢 |
        감사합니다 | 고마워요`,
      ),
    ),
  ],
  [
    'greeting',
    new Set([
      ...setPhrases('greeting'),
      ...phrasesOf(
        `hi | hello | hey | hiya | howdy | greetings | dear | good afternoon | good evening | good day | morning | hallo | hi zusammen |
        hola | ciao | olá | hoi | cześć | hej | merhaba | こんにちは | 你好 | 您好 | 안녕하세요`,
      ),
    ]),
  ],
  [
    'farewell',
    new Set([...setPhrases('farewell'), ...phrasesOf('bye | goodbye | see you | see ya | ciao | cya')]),
  ],
  ['apology', new Set([...setPhrases('apology'), ...phrasesOf('sorry | excuse me | pardon')])],
  [
    'request',
    new Set(
      phrasesOf(
        `please | pls | plz | quick question | one question | a question | just a quick question | bitte | eine frage | kurze frage |
        s il vous plaît | s il te plaît | svp | por favor | per favore | per piacere | alsjeblieft | alstublieft | proszę |
        пожалуйста | будь ласка | prosím | lütfen | お願いします | 请问 | 請問`,
      ),
    ),
  ],
];

/** What may stand behind or before a courtesy without making it anything else. */
const AROUND = new Set(
  wordsOf(`oh ok okay well so and but there again all everyone everybody team folks dear you guys a lot very much so in advance for
    your the help now today that this just copilot forge friend mate sir sehr im voraus dir ihnen euch auch schon mal noch und aber
    zusammen liebes bot für die hilfe das hilft mir davance à tous beaucoup pour votre aide por su ayuda de antemano mille in
    anticipo alvast voor de hulp helps me great perfect good nice super toll`),
);
const LONGEST_PHRASE = 8;
const LONGEST_CLAUSE = 12;
const THANKS = phrasesOf(THANKS_FOR);
/** After thanks for something, at most so many words are what they are for. */
const LONGEST_REASON = 6;

/** What a clause is as a whole, or null when anything in it is more than a courtesy. */
export function courtesyOf(clause: string): Courtesy | null {
  const words = wordsOf(clause);
  if (words.length === 0 || words.length > LONGEST_CLAUSE) return null;
  const text = words.join(' ');
  const reason = THANKS.find((phrase) => text.startsWith(`${phrase} `));
  if (reason !== undefined && words.length - reason.split(' ').length <= LONGEST_REASON) return 'thanks';
  for (const [courtesy, phrases] of COURTESIES) {
    for (let start = 0; start < words.length; start += 1) {
      if (start > 0 && !AROUND.has(words[start - 1] ?? '')) break;
      for (let end = Math.min(words.length, start + LONGEST_PHRASE); end > start; end -= 1) {
        if (!phrases.has(words.slice(start, end).join(' '))) continue;
        if (words.slice(end).every((word) => AROUND.has(word))) return courtesy;
      }
    }
  }
  return null;
}
