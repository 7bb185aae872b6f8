import { fold } from './fold.ts';
import type { TextLanguage } from './languages.ts';

/*
 * Dates and numbers are written in many ways. Beside the words of the way at hand, a text has one term that they all have in common:
 * for 3 March 2025 `@2025-03-03`, and `@2025-03` and `@--03-03` for who asks for the month or the day; for 1,500 its digits.
 */

// as they are written out, and shortened where that is no other word; folded
const MONTH_NAMES = [
  'january jan januar janner janvier enero gennaio janeiro januari tammikuu января январь',
  'february feb februar fevrier febrero febbraio fevereiro februari helmikuu февраля февраль',
  'march mar marz mars marzo marco maart maaliskuu марта март',
  'april apr avril abril aprile huhtikuu апреля апрель',
  'may mai mayo maggio maio mei maj toukokuu мая май',
  'june jun juni juin junio giugno junho kesakuu июня июнь',
  'july jul juli juillet julio luglio julho heinakuu июля июль',
  'august aug aout agosto augustus augusti elokuu августа август',
  'september sep sept septembre septiembre settembre setembro syyskuu сентября сентябрь',
  'october oct oktober okt octobre octubre ottobre outubro lokakuu октября октябрь',
  'november nov novembre noviembre novembro marraskuu ноября ноябрь',
  'december dec dezember dez decembre diciembre dicembre dezembro joulukuu декабря декабрь',
];
const MONTHS = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])),
);

const NAME = String.raw`\p{L}{3,12}`;
const DAY = String.raw`\d{1,2}`;
const YEAR = String.raw`(?:19|20)\d\d(?!\d)`;
const BEFORE = String.raw`(?<![\p{L}\d.,:/-])`;
const AFTER = String.raw`(?![\d/-]|[.,:]\d)`;
/** 2025-03-03, 2025/3/3; 03.03.2025, 3/3/2025. */
const YEAR_FIRST = new RegExp(`${BEFORE}(${YEAR})([-/.])(${DAY})\\2(${DAY})${AFTER}`, 'gu');
const YEAR_LAST = new RegExp(`${BEFORE}(${DAY})([-/.])(${DAY})\\2(${YEAR})${AFTER}`, 'gu');
/** 3 March 2025, 3rd of March, 3. März 2025, 3 de marzo de 2025, 1er mars. */
const DAY_FIRST = new RegExp(
  `${BEFORE}(${DAY})(?:\\.|º|st|nd|rd|th|er)?\\s(?:of\\s|de\\s)?(${NAME})(?!\\p{L})\\.?(?:,?\\s(?:de\\s|del\\s)?(${YEAR}))?`,
  'gu',
);
/** March 3, 2025, March 3rd. */
const MONTH_FIRST = new RegExp(
  `(?<=(?<!\\p{L})(${NAME})\\.?\\s)(${DAY})(?:st|nd|rd|th)?(?![\\p{L}\\d.:/-])(?:,?\\s(${YEAR}))?`,
  'gu',
);
/** March 2025, marzo de 2025. */
const MONTH_AND_YEAR = new RegExp(`(?<=(?<!\\p{L})(${NAME})\\.?,?\\s(?:de\\s|del\\s)?)(${YEAR})`, 'gu');

interface Dated {
  year: number | null;
  month: number;
  day: number | null;
}

const two = (value: number): string => String(value).padStart(2, '0');

const isDate = ({ month, day }: Dated): boolean =>
  month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31));

/** The readings of a day and a month in figures: with a slash, nobody knows which comes first. */
function readings(first: number, mark: string, second: number, year: number): Dated[] {
  const dayFirst = { year, month: second, day: first };
  const monthFirst = { year, month: first, day: second };
  return mark === '.' || first === second ? [dayFirst] : [dayFirst, monthFirst];
}

function datesIn(text: string): Dated[] {
  const found: Dated[] = [];
  const monthOf = (name = ''): number => MONTHS.get(fold(name)) ?? 0;
  const yearOf = (year?: string): number | null => (year === undefined ? null : Number(year));
  for (const [, year, , month, day] of text.matchAll(YEAR_FIRST)) {
    found.push({ year: Number(year), month: Number(month), day: Number(day) });
  }
  for (const [, first, mark = '', second, year] of text.matchAll(YEAR_LAST)) {
    found.push(...readings(Number(first), mark, Number(second), Number(year)));
  }
  for (const [, day, name, year] of text.matchAll(DAY_FIRST)) {
    found.push({ year: yearOf(year), month: monthOf(name), day: Number(day) });
  }
  for (const [, name, day, year] of text.matchAll(MONTH_FIRST)) {
    found.push({ year: yearOf(year), month: monthOf(name), day: Number(day) });
  }
  for (const [, name, year] of text.matchAll(MONTH_AND_YEAR)) {
    found.push({ year: Number(year), month: monthOf(name), day: null });
  }
  return found.filter(isDate);
}

/** Terms of a date, the most exact first. */
function dateTerms({ year, month, day }: Dated): string[] {
  const ofMonth = year === null ? [] : [`@${year}-${two(month)}`];
  if (day === null) return ofMonth;
  const ofDay = `@--${two(month)}-${two(day)}`;
  return year === null ? [ofDay] : [`@${year}-${two(month)}-${two(day)}`, ...ofMonth, ofDay];
}

/** 1 500, which no mark holds together. */
const SPACED = /(?<![\p{L}\d.,])\d{1,3}(?: \d{3})+(?![\d]|[.,]\d)/gu;
/** 10k. */
const THOUSANDS = /(?<![\p{L}\d.,])(\d+(?:\.\d+)?)k(?![\p{L}\d])/giu;
/** 1.500, 1.500,50 and 1,5, where a comma marks decimals: everywhere but in English. */
const POINTED = /(?<![\p{L}\d.,])(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?(?![\d]|[.,]\d)/gu;
const DECIMAL = /(?<![\p{L}\d.,])(\d+),(\d{1,2})(?![\d]|[.,]\d)/gu;

/** What has more digits is no number but a table, a key or a sequence, and too long for a term. */
const MOST_DIGITS = 30;

/** A number as it is kept, in digits alone; none where it has too many of them. */
function numberTerms(whole: string, decimals = ''): string[] {
  if (whole.length + decimals.length > MOST_DIGITS) return [];
  return [decimals === '' ? whole : `${whole}.${decimals}`];
}

function thousandTerms(number: string): string[] {
  const value = Math.round(Number(number) * 1_000);
  return Number.isSafeInteger(value) ? [String(value)] : [];
}

function numbersIn(text: string, language: TextLanguage): string[] {
  const found = [...text.matchAll(SPACED)].flatMap(([number]) => numberTerms(number.replaceAll(' ', '')));
  for (const [, number = ''] of text.matchAll(THOUSANDS)) found.push(...thousandTerms(number));
  if (language === null) return found;
  for (const [, whole = '', decimals] of text.matchAll(POINTED)) {
    found.push(...numberTerms(whole.replaceAll('.', ''), decimals));
  }
  for (const [, whole = '', decimals] of text.matchAll(DECIMAL)) found.push(...numberTerms(whole, decimals));
  return found;
}

const DIGIT = /\d/;

/** The terms that dates and numbers of a text have in any spelling; each date once. */
export const spellingsIn = (text: string, language: TextLanguage): string[] =>
  DIGIT.test(text) ? [...new Set(datesIn(text).flatMap(dateTerms)), ...numbersIn(text, language)] : [];

/** Those that a query asks for: of a date the most exact. */
export const spellingsAsked = (text: string, language: TextLanguage): string[] => {
  if (!DIGIT.test(text)) return [];
  const dates = datesIn(text).map((date) => dateTerms(date)[0] ?? '');
  // "March 2025" stands in "3 March 2025" too
  const exact = dates.filter((term) => !dates.some((other) => other !== term && other.startsWith(term)));
  return [...new Set([...exact, ...numbersIn(text, language)])];
};
