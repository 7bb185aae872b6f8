/*
 * The figures of a text, each as the values that its writing can mean: `1,200` is 1200 or 1.2, `40 %` is 40 or 0.4,
 * `1.2 million` is 1.2 or 1200000. Two figures agree when they share a value.
 */

/** A figure as it is written, with what it can mean. */
export interface Figure {
  text: string;
  values: number[];
}

// groups parted by a blank have three digits each, so that "12 400" is one figure and "3 12" are two
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;
const DATE = /(?<!\d)(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?!\d)/g;
const MULTIPLIER =
  /^[ \u00a0\u202f-]?(?:(k|thousand|tsd\.?|tausend|mille|mil)|(m|mn|mio\.?|million(?:en|s)?|millones|millón|milioni)|(bn|b|mrd\.?|billion|milliarden?|milliards?))(?![\p{L}\p{N}])/iu;
const PERCENT = /^[ \u00a0\u202f]?(?:%|percent|per cent|prozent|pour cent|por ciento|per cento|procent)/i;
const UNIT = [1e3, 1e6, 1e9];

/** Words that documents write for small figures; a reply may write the digits. */
const WORDS: readonly (readonly [number, string])[] = [
  [1, 'one first ein eine einen einer erste ersten erster un une premier première uno una primero primera'],
  [2, 'two second twice zwei zweite zweiten zweimal deux deuxième dos segundo segunda'],
  [3, 'three third drei dritte dritten drittes trois troisième tres tercero tercer tercera'],
  [4, 'four fourth vier vierte vierten quatre quatrième cuatro cuarto'],
  [5, 'five fifth fünf fünfte fünften cinq cinquième cinco quinto'],
  [6, 'six sixth sechs sechste sechsten sixième seis sexto'],
  [7, 'seven seventh sieben siebte siebten sept septième siete séptimo'],
  [8, 'eight eighth acht achte achten huit huitième ocho octavo'],
  [9, 'nine ninth neun neunte neunten neuf neuvième nueve noveno'],
  [10, 'ten tenth zehn zehnte zehnten dix dixième diez décimo'],
  [11, 'eleven eleventh elf elfte elften onze once'],
  [12, 'twelve twelfth dozen zwölf zwölfte dutzend douze douzaine doce docena'],
  [15, 'fifteen fünfzehn quinze quince'],
  [20, 'twenty zwanzig vingt veinte'],
  [30, 'thirty dreißig trente treinta'],
  [40, 'forty vierzig quarante cuarenta'],
  [50, 'fifty half fünfzig halb hälfte cinquante moitié cincuenta mitad'],
  [100, 'hundred hundert cent cien'],
  [1000, 'thousand tausend mille mil'],
];
/** Words that are numbers and more: "half of them", "a hundred ways", "mil" of thanks. */
const VAGUE = new Set(
  'second dozen half halb hälfte moitié mitad hundred hundert cent cien thousand tausend mille mil'.split(
    ' ',
  ),
);
const VALUE_OF_WORD = new Map(
  WORDS.flatMap(([value, words]) => words.split(' ').map((word) => [word, value])),
);

/** What is measured rather than counted by a writer: "nine weeks" is a figure, "two reasons" a way to put it. */
const MEASURED =
  /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|percent|euros?|dollars?|pounds?|francs?|kilomet(?:er|re)s?|met(?:er|re)s?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|quartale?n?|jahre?n?|prozent|franken|secondes?|heures?|jours?|semaines?|mois|trimestres?|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|meses|años?)$/u;
const LARGEST_COUNT = 12;

/** The figures that a text writes in words: measures, and numbers too large for a count in passing. */
export function figuresInWords(text: string): Figure[] {
  return [...text.toLowerCase().matchAll(/\p{L}+(?=(?:[\s\u00a0-]+(\p{L}+))?)/gu)].flatMap(
    ({ 0: written, 1: next = '' }) => {
      const value = VALUE_OF_WORD.get(written);
      const isFigure = value !== undefined && value > 1 && (MEASURED.test(next) || value > LARGEST_COUNT);
      return isFigure && !VAGUE.has(written) ? [{ text: written, values: [value] }] : [];
    },
  );
}

/** What a run of digits and separators can mean: a single separator before three digits parts either thousands or decimals. */
function readings(written: string): number[] {
  const digits = written.replace(/[ \u00a0\u202f'’]/g, '');
  const separators = [...digits.matchAll(/[.,]/g)];
  const last = separators.at(-1);
  if (!last) return [Number(digits)];
  const whole = Number(digits.replace(/[.,]/g, ''));
  const decimal = Number(
    `${digits.slice(0, last.index).replace(/[.,]/g, '')}.${digits.slice(last.index + 1)}`,
  );
  const kinds = new Set(separators.map(([separator]) => separator)).size;
  if (kinds > 1) return [decimal];
  if (separators.length > 1) return [whole];
  return digits.length - last.index - 1 === 3 ? [whole, decimal] : [decimal];
}

/** The figures that a text writes in digits; a date gives its parts. */
export function figuresOf(text: string): Figure[] {
  const figures: Figure[] = [];
  const rest = text.replace(DATE, (date, a: string, _, b: string, c: string) => {
    for (const part of [a, b, c]) figures.push({ text: date, values: [Number(part)] });
    return ' '.repeat(date.length);
  });
  for (const { 0: written, index } of rest.matchAll(NUMBER)) {
    const after = rest.slice(index + written.length, index + written.length + 20);
    const read = readings(written);
    const unit =
      UNIT[
        MULTIPLIER.exec(after)
          ?.slice(1)
          .findIndex((name) => name !== undefined) ?? -1
      ];
    const factors = [...(unit === undefined ? [] : [unit]), ...(PERCENT.test(after) ? [0.01] : [])];
    const values = [...read, ...factors.flatMap((factor) => read.map((value) => rounded(value * factor)))];
    figures.push({ text: written, values });
  }
  return figures;
}

/** Every value that a text can be said to name, in digits or in words. */
export function valuesOf(text: string): Set<number> {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return new Set([
    ...figuresOf(text).flatMap(({ values }) => values),
    ...words.flatMap((word) => VALUE_OF_WORD.get(word) ?? []),
  ]);
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
