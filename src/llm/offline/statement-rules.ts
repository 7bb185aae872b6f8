import type { SkeletonField } from '../../contract/state.ts';

/** A form of words by which a field of the skeleton is stated, in English or German. */
export interface FieldRule {
  field: SkeletonField;
  /** Each with a group `value`. */
  patterns: RegExp[];
  /** `joins`: stands beside what the field has. A name: takes the place of the line of that name. Else it replaces all. */
  joins?: 'replaces' | 'joins' | { named: string };
  /** What is stated may itself say what is not: "we must not …". */
  deniable?: true;
  /** The whole sentence is the value: the words around it say what it means. */
  whole?: true;
}

const OUR = "(?:the|our|my|this project[’']s|der|die|das|unsere?r?|mein[e]?)";
const IS = "(?:is|are|will be|[’']s|=|:|ist|sind|lautet)";
/** A plain sentence "our NOUN is VALUE". */
const copula = (noun: string, value = '.+'): RegExp =>
  new RegExp(
    `^(?:${OUR}\\s+)?(?:${noun})(?:\\s+(?:here|for (?:this|us|it)|of (?:the|this) project|now|hier|dafür|jetzt))?\\s*${IS}\\s+(?:that\\s+|dass\\s+)?(?<value>${value})`,
    'iu',
  );
const form = (source: string): RegExp => new RegExp(source, 'u');

const NAME = String.raw`(?:(?:Frau|Herrn?|Dr\.|Prof\.|Mr\.?|Mrs\.?|Ms\.?)\s+)*\p{Lu}[\p{L}'’-]+(?:\s+(?:(?:van|von|de|der|da|di|el|al)\s+)*\p{Lu}[\p{L}'’-]+){0,3}`;
/** Who somebody is, behind the name. */
const ROLE = String.raw`(?:(?:,| \() ?(?:(?:the|our|der|die|unser|unsere) [^,.;()]{2,60}|(?:head|VP|director|chief|lead|Leiter(?:in)?) [^,.;()]{2,60}|C[A-Z]O|VP)\)?)?`;
const named = (before: string): RegExp =>
  new RegExp(
    `^(?:[Tt]he |[Oo]ur |[Mm]y |[Uu]nsere? |[Dd](?:er|ie) )?${before} (?<value>(?:(?:the|our|der|die|unser|unsere) )?${NAME}${ROLE})(?=$|[,.;!()]| (?:and|und|who|since|because|from)\\b)`,
    'u',
  );
const DATE = String.raw`(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?\p{L}{3,}|\p{Lu}\p{L}{2,}\s+\d{1,2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?|Q[1-4]|(?:the )?end of|(?:next|this|mid|early|late|Mitte|Ende|Anfang|nächste[nr]?)[\s-]|(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Easter|Christmas|Ostern|Weihnachten|spring|summer|autumn|winter)\b)`;

/** Up to the clause behind it; a comma before digits parts thousands. */
const AMOUNT = String.raw`(?=[^,;]*\d)[^,;]*(?:,\d[^,;]*)*`;
/** So many words that something is said. */
const CLAUSE = String.raw`\S+(?:\s+\S+){3,}$`;

/** In the order in which they are tried; a sentence states one field. */
export const FIELD_RULES: readonly FieldRule[] = [
  {
    field: 'decision_maker',
    patterns: [
      named(
        `(?:(?:[Ff]inal |[Mm]ain )?[Dd]ecision[- ]?maker|[Dd]ecider|[Ee]ntscheider(?:in)?|[Ee]ntscheidungsträger(?:in)?)(?: (?:here|now|hier|jetzt))? ?${IS}`,
      ),
      form(
        `^(?<value>${NAME}(?:,? (?:the|our|unser|unsere|der|die) [^,.;]{2,60},?)?) (?:makes the (?:final )?(?:decision|call)|has the (?:final|last) (?:say|word)|is (?:the|our) (?:final )?decision[- ]maker|signs off on (?:it|this|everything)|trifft die entscheidung|hat das letzte wort)\\b`,
      ),
      form(
        `^(?<value>${NAME}) (?:decides|entscheidet)(?: (?:on|about|über) (?:this|it|the (?:project|budget)|das|dies|das (?:Projekt|Budget)))?[.!]?$`,
      ),
      form(`^[ÜU]ber (?:das|dieses) (?:Projekt|Budget) entscheidet (?<value>${NAME})[.!]?$`),
    ],
  },
  {
    field: 'temporal_trigger',
    patterns: [
      form(
        `^(?:[Ww]e|[Ii]) (?:have to|need to|must|has to|are required to) (?:ship|launch|deliver|release|go live|be live|be done|finish|be ready|decide|start) (?<value>(?:by|before|on|until|no later than|at the latest|in) ${DATE}.*)$`,
      ),
      form(`^[Ww]ir müssen (?<value>(?:bis|vor|am|spätestens)(?: (?:zum|dem|am|im))? ${DATE}.*)$`),
    ],
    whole: true,
  },
  {
    field: 'temporal_trigger',
    patterns: [
      copula(
        '(?:hard |final )?(?:deadline|due date|launch date|go-live date)|frist|stichtag|abgabetermin',
        `(?:on |by |before |until |am |bis |vor )?${DATE}.*$`,
      ),
    ],
  },
  {
    field: 'target_audience',
    patterns: [
      copula('(?:target|primary|main|intended) (?:audience|users?|group|customers?)|audience|zielgruppe'),
      form(
        '^(?:[Ww]e|[Ii]t|[Tt]his) (?:are building|build|is (?:meant|intended|built|made)) (?:this |it )?for (?<value>.+)$',
      ),
    ],
  },
  {
    field: 'root_cause',
    patterns: [copula('(?:real |actual |underlying )?(?:root )?cause|grundursache|ursache', CLAUSE)],
  },
  {
    field: 'problem_statement',
    patterns: [
      copula(
        '(?:main |core |real |actual |central )?(?:problem(?: (?:we (?:have|want to solve)|to solve))?|(?:haupt|kern)?problem)',
        CLAUSE,
      ),
    ],
    deniable: true,
  },
  {
    field: 'success_metrics',
    patterns: [
      form('^(?:[Ww]e|[Ii]) (?:will )?(?:measure|define|judge) success (?:by|as|in|through) (?<value>.+)$'),
      form('^[Ww]ir messen (?:den )?[Ee]rfolg (?:an|am|durch|mit) (?<value>.+)$'),
      form('^[Ss]uccess (?:means|is measured by|would mean) (?:that )?(?<value>.+)$'),
      copula(
        '(?:main |key |primary )?(?:success (?:metrics?|criteri(?:on|a)|measures?)|north star(?: metric)?|kpis?)|erfolgskriterium|erfolgskriterien|messgröße',
      ),
    ],
  },
  {
    field: 'non_negotiables',
    patterns: [
      form("^(?:[Ii]t is|[Ii]t['’]s) (?:not |non-)negotiable that (?<value>.+)$"),
      form('^(?:[Nn]icht verhandelbar ist,? dass|[Ee]s ist nicht verhandelbar,? dass) (?<value>.+)$'),
      form('^(?<value>.+?) (?:is|are) (?:not |non-)negotiable[.!]?$'),
      copula('non-negotiables?'),
    ],
    joins: 'joins',
    deniable: true,
  },
  {
    field: 'constraints',
    patterns: [
      copula('(?:total |overall |whole )?(?:budget|gesamtbudget)', AMOUNT),
      form(`^(?:[Ww]e|[Ii]) have a budget of (?<value>${AMOUNT})`),
      form(`^[Ww]ir haben (?:ein )?[Bb]udget von (?<value>${AMOUNT})`),
    ],
    joins: { named: 'Budget' },
  },
  {
    field: 'constraints',
    patterns: [
      copula(
        '(?:a|one|another|the|eine|eine weitere) (?:hard |main )?(?:constraint|restriction|limitation|einschränkung|randbedingung)|(?:main )?constraint|einschränkung|randbedingung',
      ),
    ],
    joins: 'joins',
    deniable: true,
  },
];

/** Forms of words that call what follows an assumption. */
export const ASSUMPTION_RULES: readonly RegExp[] = [
  /^(?:we|i)(?:['’]re| are|['’]m| am)? (?:assum(?:e|ing)|presum(?:e|ing)|guess(?:ing)?|suppose|suspect|believe)(?: for now| so far)?,? that (?<value>.+)$/iu,
  /^(?:we|i) (?:assume|presume|suspect),? (?<value>(?!so\b|it\b|not\b).+)$/iu,
  /^(?:our|my|the|one|an|another)(?: (?:main|key|working|central|biggest|riskiest))? (?:assumption|hypothesis|guess) (?:here )?is,? (?:that )?(?<value>.+)$/iu,
  /^(?:the )?assumption: (?<value>.+)$/iu,
  /^(?:wir|ich) (?:nehmen|nehme) an,? dass (?<value>.+)$/iu,
  /^(?:wir|ich) (?:vermuten|vermute|glauben|glaube|gehen davon aus|gehe davon aus),? dass (?<value>.+)$/iu,
  /^(?:unsere|meine|die|eine)(?: wichtigste)? (?:annahme|hypothese|vermutung) ist,? (?:dass )?(?<value>.+)$/iu,
];
