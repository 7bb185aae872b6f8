import { plain } from './words.ts';

// Everything is matched against the plain form of a message: lower case, no accents, no apostrophes.

/** Whole words of any script; `\b` knows the Latin one only. */
function words(...alternatives: string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`;
}
const anyOf = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'u');

const EVALUATION = words(
  'evaluation|evaluate|evaluating|assess|assessment|mode 2|mode two|second mode|bewertungsmodus|bewertung',
  'mode devaluation|modo de evaluacion|modo evaluacion|modalita valutazione|modo de avaliacao|evaluatiemodus|tryb oceny|режим оценки',
);
const DISCOVERY = words(
  'discovery|mode 1|mode one|first mode|problem exploration|entdeckungsmodus|mode decouverte|modo descubrimiento',
  'modalita scoperta|modo descoberta',
);
const MOVE = words(
  'switch|change|go|move|return|get|jump|enter|start|begin|turn|proceed|over to|wechsle|wechseln|wechsel|passons|passer|passez',
  'cambia|cambiar|cambiemos|pasemos|passiamo|mudar|mude|ga naar|przejdz|przejdzmy|перейдем|переидем|перейти|переити',
);
const WISH = words(
  'lets|let us|can we|could we|shall we|time to|ready to|want to|id like to|i would like to|please|now',
);
const JUDGE = words('evaluate|assess|review|judge|stress test');
const SOLUTION = words('solution|idea|proposal|option|approach|concept|it');
const NEARBY = '[^.?!]{0,40}';

const TO_EVALUATION = anyOf(
  `${MOVE}${NEARBY}${EVALUATION}(?! (?:form|report|criteria|sheet|results?))`,
  `${WISH} (?:now )?(?:please )?${JUDGE}${NEARBY}${SOLUTION}`,
  `^(?:please )?(?:evaluate|assess) (?:the|our|this|my) ${SOLUTION}`,
  words('evaluation mode', 'evaluate mode'),
);
const TO_DISCOVERY = anyOf(
  `${MOVE}${NEARBY}${DISCOVERY}(?! (?:call|interview|meeting|report|phase))`,
  words('back to (?:the )?(?:problem|discovery)', 'discovery mode'),
);
const NO_WISH = anyOf(
  words('not|dont|never|why|what is|whats|before we|when we|after we|if we|who|nicht|pas|nao|niet|nie|не'),
);

const SUM_UP = anyOf(
  words(
    'summari[sz]e|sum up|recap|synthesi[sz]e|wrap up|summary|overview|zusammenfass\\p{L}*|zusammen|resumes?|resumez|recapitul\\p{L}+',
    'synthese|resumen|resumir|resume|riassum\\p{L}+|riepilog\\p{L}+|samenvat\\p{L}*|samen|podsumuj\\p{L}*|podsumowanie',
    'подведи итоги?|подведите итоги?|подведем итоги?|подведем итог|резюмируи(?:те)?|резюмируй(?:те)?|обобщи(?:те)?',
  ),
  'まとめて|要約|总结|總結|요약|सारांश',
);
const SO_FAR = anyOf(
  words(
    'so far|until now|up to now|we have|we know|we learned|we discussed|weve|you have|you know|our (?:conversation|discussion|state|progress)',
    'what we|where we|everything|all of this|the (?:discussion|conversation|session)|bisher\\p{L}*|jusqu\\p{L}*|hasta (?:ahora|aqui)',
    'finora|ate agora|tot nu toe|tot zover|do tej pory|dotychczas\\p{L}*|пока|до сих пор',
  ),
  'これまで|目前|到目前|지금까지|अब तक',
);
const WHERE_WE_STAND = anyOf(
  words(
    'where (?:do|are) we (?:stand|at|now)',
    'what (?:do|have) we (?:know|have|learned|learnt|established|agreed)(?: on| about)? (?:so far|until now|up to now)',
    '(?:write|draft)(?: up)? the (?:problem )?brief',
  ),
);
/** A summary of something named is a question about it, not about the state. */
const OF_A_DOCUMENT = anyOf(
  words('(?:file|document|report|section|chapter|pdf|docx|page|interview|transcript|paper|note)s?'),
  '\\p{L}\\.(?:md|pdf|docx|txt|ya?ml|json)',
);

const ASKS = anyOf(
  '[?？؟]',
  `^(?:${words('and|so|but|ok|okay|well|und|et|y|e|а|и')} )*${words(
    'who|whom|whose|what|whats|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|any',
    'wer|welche[rsnm]?|wann|wo|warum|wie|wieso|wieviel|gibt es|qui|quoi|quel(?:le)?s?|quand|ou|pourquoi|comment|combien',
    'quien|quienes|cual|cuales|cuando|donde|por que|como|cuanto|chi|cosa|quale|quali|dove|perche|quanto|quem|qual|quais|onde',
    'wat|welke?|wanneer|waar|waarom|hoe|hoeveel|kto|co|jaki|jakie|kiedy|gdzie|dlaczego|jak|ile',
    'кто|что|какой|какои|какие|когда|где|почему|сколько|как',
  )}`,
  '(?:か|吗|呢|嗎|까요|나요|는가)[。.!！]?$',
);
const WANTS = anyOf(
  words(
    'tell me|show me|find|look up|search|list|quote|give me|remind me|explain|elaborate|compare|check|according to|zeige?|erklare?',
    'suche?|finde|montre\\p{L}*|explique\\p{L}*|trouve\\p{L}*|muestra\\p{L}*|explica\\p{L}*|busca|encuentra|mostra\\p{L}*|spiega\\p{L}*',
    'cerca|trova|procure|laat zien|leg uit|zoek|pokaz|wyjasnij|znajdz|покажи(?:те)?|объясни(?:те)?|наиди(?:те)?|расскажи(?:те)?',
  ),
  '教えて|告诉我|解释|說明|알려|बताइए|बताओ',
);

/** The mode that a message asks to change to, or null. */
export function wantedMode(message: string): 'discovery' | 'evaluation' | null {
  const text = plain(message).trim();
  if (text.length > 300 || NO_WISH.test(text)) return null;
  if (TO_EVALUATION.test(text)) return 'evaluation';
  return TO_DISCOVERY.test(text) ? 'discovery' : null;
}

/** Whether a message asks to sum up what is known. */
export function wantsSynthesis(message: string): boolean {
  const text = plain(message).trim().slice(0, 400);
  if (OF_A_DOCUMENT.test(text)) return false;
  if (WHERE_WE_STAND.test(text)) return true;
  return SUM_UP.test(text) && (SO_FAR.test(text) || text.split(/\s+/).length <= 6);
}

/** Whether a message asks for something to be answered or looked up. */
export function asksForAnswer(message: string): boolean {
  const text = plain(message).trim().slice(0, 2_000);
  return ASKS.test(text) || WANTS.test(text) || SUM_UP.test(text);
}
