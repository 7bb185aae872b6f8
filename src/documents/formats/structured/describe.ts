import { oneLine } from '../../../text/one-line.ts';
import { MAX_BLURB, MAX_ITEM_TEXT } from '../../structure/outline-item.ts';
import type { Collection, Entry } from './entry.ts';

// Decoded text of which a line of 240 characters is made: what is behind would hardly ever be shown.
const MOST_DECODED = 2_000;
const LONGEST_NAME = 60;
const MORE = ', …';
const INTEGER = /^[-+]?\d+$/;
const NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const BASED = /^0(?:o[0-7]+|x[\da-f]+)$/i;
const NULL = /^(?:~|null|Null|NULL)?$/;
const BOOLEAN = /^(?:true|True|TRUE|false|False|FALSE)$/;

/** A string as a client sees it: one line, no half characters, `""` when there is nothing to see. */
export function shownText(text: string, longest = MAX_ITEM_TEXT): string {
  const line = oneLine(text.slice(0, MOST_DECODED).toWellFormed(), longest);
  return line === '' ? '""' : line;
}

/** A scalar by its value (YAML's core schema, which JSON's is a part of), however it was written. */
export function scalarText(text: string, plain: boolean, longest = MAX_BLURB): string {
  if (!plain || text.length > 60) return shownText(text, longest);
  if (NULL.test(text)) return 'null';
  if (BOOLEAN.test(text)) return text.toLowerCase();
  // More digits than a number holds are a name rather than an amount.
  if (NUMBER.test(text) && !(INTEGER.test(text) && text.length > 15)) return numberText(Number(text), text);
  if (BASED.test(text)) return numberText(Number(text), text);
  return shownText(text, longest);
}

const numberText = (value: number, text: string): string => (Number.isFinite(value) ? String(value) : text);

/** Null, true and false name nothing. */
export const isName = (text: string, plain: boolean): boolean =>
  text.trim() !== '' && !(plain && (NULL.test(text) || BOOLEAN.test(text)));

/** What a value is: a scalar's value, or what an object or an array holds. */
export function describe({ collection, text, plain }: Entry): string {
  return collection ? describeCollection(collection) : scalarText(text, plain);
}

function describeCollection({
  isObject,
  count,
  objects,
  arrays,
  preview: shown,
  firstObject: first,
}: Collection): string {
  if (count === 0) return isObject ? 'empty object' : 'empty array';
  if (isObject) return listed('object', shown, count);
  const some = (what: string) => `array of ${count} ${what}${count === 1 ? '' : 's'}`;
  if (objects === count) return listed(some('object'), first?.preview ?? [], first?.count ?? 0);
  return arrays === count ? some('array') : listed(some('value'), shown, count);
}

function listed(what: string, names: readonly string[], count: number): string {
  let line = what;
  for (const [i, name] of names.entries()) {
    const next = `${i === 0 ? ': ' : ', '}${shownText(name, LONGEST_NAME)}`;
    if (line.length + next.length > MAX_BLURB - MORE.length) return line + MORE;
    line += next;
  }
  return names.length > 0 && names.length < count ? line + MORE : line;
}
