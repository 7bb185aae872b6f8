import {
  type AliasEvent,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from 'js-yaml';
import type { TreeBuilder } from '../structured/tree-builder.ts';

/** People nest ten levels deep, and the parser calls itself for each. */
const DEEPEST = 200;
const LONGEST_KEY = 300;

interface Reading {
  text: string;
  tree: TreeBuilder;
  events: readonly Event[];
  /** Collections that are open. */
  open: (SequenceEvent | MappingEvent)[];
  /** Texts of scalars with anchors, for aliases that stand as keys. */
  anchors: Map<string, string>;
  /** Where what was read last ends. */
  end: number;
}

/**
 * Reads any YAML that js-yaml's parser takes, tags, anchors and complex keys included. Aliases are not followed: as a
 * value one is `*name`, so that a file of a kilobyte cannot become gigabytes.
 *
 * @returns false when it is not YAML
 */
export function readYamlEvents(text: string, tree: TreeBuilder): boolean {
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: DEEPEST });
  } catch (error) {
    if (error instanceof YAMLException || error instanceof RangeError) return false;
    throw error;
  }
  const reading: Reading = { text, tree, events, open: [], anchors: new Map(), end: 0 };
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (!event) continue;
    if (tree.isInObject && !tree.hasKey && event.type !== EVENT_ID.POP) i = readKey(reading, event, i);
    else readValue(reading, event);
  }
  return true;
}

function readValue(reading: Reading, event: Event): void {
  const { text, tree, open } = reading;
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      reading.anchors.clear();
      break;
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      tree.openCollection(event.type === EVENT_ID.MAPPING, elementStart(text, event, open[open.length - 1]));
      reading.end = enter(event);
      open.push(event);
      break;
    case EVENT_ID.POP: {
      const closed = open.pop();
      // The end of a document closes nothing.
      if (!closed) break;
      reading.end = leave(reading, closed);
      tree.closeCollection(reading.end);
      break;
    }
    default: {
      const scalar = readScalar(reading, event);
      tree.scalar(scalar.text, scalar.plain, scalar.start, reading.end);
    }
  }
}

/** @returns index of the key's last event */
function readKey(reading: Reading, event: Event, index: number): number {
  const { text, tree, events } = reading;
  if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) {
    const scalar = readScalar(reading, event);
    const name = event.type === EVENT_ID.ALIAS ? reading.anchors.get(scalar.text.slice(1)) : undefined;
    tree.key(name ?? scalar.text, scalar.start);
    reading.end = behindColon(text, reading.end);
    return index;
  }
  // A collection is shown as it is written.
  let at = index;
  const outer: (SequenceEvent | MappingEvent)[] = [];
  const start = 'start' in event ? event.start : reading.end;
  do {
    const one = events[at++];
    if (one?.type === EVENT_ID.SEQUENCE || one?.type === EVENT_ID.MAPPING) {
      outer.push(one);
      reading.end = enter(one);
    } else if (one?.type === EVENT_ID.POP) {
      const closed = outer.pop();
      if (closed) reading.end = leave(reading, closed);
    } else if (one?.type === EVENT_ID.SCALAR || one?.type === EVENT_ID.ALIAS) {
      readScalar(reading, one);
    }
  } while (outer.length > 0 && at < events.length);
  tree.key(text.slice(start, Math.min(reading.end, start + LONGEST_KEY)), start);
  return at - 1;
}

/** Moves on behind a scalar. */
function readScalar(reading: Reading, event: ScalarEvent | AliasEvent) {
  const { text, anchors } = reading;
  if (event.type === EVENT_ID.ALIAS) {
    reading.end = event.anchorEnd;
    const start = event.anchorStart - 1;
    return { text: text.slice(start, event.anchorEnd), plain: false, start };
  }
  const value = getScalarValue(text, event);
  const properties = Math.max(event.anchorEnd, event.tagEnd);
  const quotes =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
  const start = propertiesStart(event, event.valueStart === -1 ? reading.end : event.valueStart - quotes);
  if (event.valueStart !== -1) reading.end = trimmedEnd(text, event.valueEnd + quotes, event.valueStart);
  else if (properties !== -1) reading.end = properties;
  if (event.anchorStart !== -1)
    anchors.set(text.slice(event.anchorStart, event.anchorEnd), value.slice(0, LONGEST_KEY));
  return { text: value, plain: event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1, start };
}

/** Where a value starts: its tag and its anchor stand in front of it. */
function propertiesStart(event: ScalarEvent | SequenceEvent | MappingEvent, start: number): number {
  const anchor = event.anchorStart === -1 ? start : event.anchorStart - 1;
  return Math.min(start, anchor, event.tagStart === -1 ? start : event.tagStart);
}

/** An element starts at its dash, which the parser does not tell. */
function elementStart(
  text: string,
  event: SequenceEvent | MappingEvent,
  parent: SequenceEvent | MappingEvent | undefined,
): number {
  const start = propertiesStart(event, event.start);
  if (parent?.type !== EVENT_ID.SEQUENCE || parent.style !== COLLECTION_STYLE.BLOCK) return start;
  const before = trimmedEnd(text, start, 0);
  return text.charCodeAt(before - 1) === 45 ? before - 1 : start;
}

const enter = (event: SequenceEvent | MappingEvent): number =>
  event.style === COLLECTION_STYLE.FLOW ? event.start + 1 : event.start;

/** Behind the closing bracket, which the parser does not tell either. */
function leave({ text, end }: Reading, { style }: SequenceEvent | MappingEvent): number {
  if (style === COLLECTION_STYLE.BLOCK) return end;
  let at = end;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ']' || char === '}') return at + 1;
    if (char === '#') while (at < text.length && !/[\r\n]/.test(text.charAt(at))) at++;
    else if (/[\s,:?]/.test(char)) at++;
    else return end;
  }
  return end;
}

function behindColon(text: string, end: number): number {
  let at = end;
  while (text.charAt(at) === ' ') at++;
  return text.charAt(at) === ':' ? at + 1 : end;
}

/** The end of a range without the white space that it ends with. */
function trimmedEnd(text: string, end: number, start: number): number {
  let at = end;
  while (at > start && /[ \t\r\n]/.test(text.charAt(at - 1))) at--;
  return at;
}
