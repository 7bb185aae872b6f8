import type { Passage } from '../retrieval/passage.ts';
import { readWithin } from '../text/read-within.ts';
import { countTokens } from '../text/tokens.ts';
import type { Assembled, AssembledSection } from './assemble.ts';
import { asData, closeTag, openTag } from './delimit.ts';
import { documentText, type SentPassage, type Span } from './sections/documents.ts';

/** What a tool that reads has found. */
export interface ReadOutput {
  lines: readonly string[];
  passages: readonly { passage: Passage; start: number; end: number }[];
}

/** The results of a turn's tools that read, and what of the documents they have shown. */
export interface ReadResults {
  /** Writes a result: delimited as data, at most `maxTokens`, each stretch under the number that cites it. */
  write(call: { id: string; name: string }, output: ReadOutput, maxTokens: number): string;
  /** Everything shown in this turn, by the prompt and by tools. */
  shown(): SentPassage[];
  /** The numbers under which a call's result has its stretches. */
  markersOf(callId: string): number[];
}

/** A stretch as it was written. */
interface Shown {
  marker: number;
  text: string;
  tokens: number;
  isCut: boolean;
}

/** Tokens of the label and the tags around a stretch, on the safe side. */
const LABEL_TOKENS = 80;
const FRAME_TOKENS = 30;

/**
 * @param sent what the prompt has shown
 * @param nextMarker the first number that no passage of the prompt has
 */
export function createReadResults(sent: readonly SentPassage[], nextMarker: number): ReadResults {
  const shown = new Map(sent.map((one) => [one.passage.parent_id, { ...one }]));
  const markers = new Map<string, number[]>();
  let next = nextMarker;

  /** The part of a stretch that there is room for; null when not even its beginning is. */
  function show({ passage, start, end }: ReadOutput['passages'][number], room: number): Shown | null {
    const known = shown.get(passage.parent_id);
    const marker = known?.marker ?? next;
    if (known?.spans.some((span) => span.start <= start && end <= span.end)) {
      const text = `${asData([passage.filename, ...passage.header_path].join(' > '))}: shown already, as [${marker}].\n`;
      return { marker, text, tokens: countTokens(text), isCut: false };
    }
    const part = room > LABEL_TOKENS ? readWithin(passage.text, { start, end }, room - LABEL_TOKENS) : null;
    if (!part) return null;
    const span = { start, end: part.end };
    const isWhole = span.start === 0 && span.end === passage.text.length;
    const text = documentText(passage, marker, isWhole ? null : [span]);
    const tokens = countTokens(text);
    if (tokens > room) return null;
    if (!known) next += 1;
    shown.set(passage.parent_id, { marker, passage, spans: joined([...(known?.spans ?? []), span]) });
    return { marker, text, tokens, isCut: part.end < end };
  }

  return {
    write({ id, name }, { lines, passages }, maxTokens) {
      let room = maxTokens - FRAME_TOKENS;
      const written: string[] = [];
      let left = 0;
      let isCut = false;
      for (const line of lines) {
        const text = `${asData(line)}\n`;
        const tokens = countTokens(text);
        if (left > 0 || tokens > room) {
          left += 1;
          continue;
        }
        room -= tokens;
        written.push(text);
      }
      const used: number[] = [];
      for (const stretch of passages) {
        const part: Shown | null = left > 0 || isCut ? null : show(stretch, room);
        if (!part) {
          left += 1;
          continue;
        }
        room -= part.tokens;
        isCut = part.isCut;
        used.push(part.marker);
        written.push(part.text);
      }
      markers.set(id, used);
      const note = `${isCut ? '(The last one is cut.)\n' : ''}${left > 0 ? `(${left} more had no room.)\n` : ''}`;
      return `${openTag('tool_result', { tool: name })}\n${written.join('')}${note}${closeTag('tool_result')}`;
    },
    shown: () => [...shown.values()].sort((a, b) => a.marker - b.marker),
    markersOf: (callId) => markers.get(callId) ?? [],
  };
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/**
 * What was sent in a turn, with one more result of a tool at its end.
 *
 * @param turnBudget tokens that a turn may have which is no filler: what reads more than a filler may is none
 */
export function withResult(
  assembled: Assembled,
  result: { id: string; name: string; content: string; isError: boolean; markers: number[] },
  turnBudget: number,
): Assembled {
  const { id, name, content, isError, markers } = result;
  const form = { text: `${content}\n`, tokens: countTokens(content) + 1 };
  const details = { tool: name, is_error: isError, ...(markers.length > 0 && { markers }) };
  const item = { kind: 'tool_result' as const, id, value: 0, full: form, details };
  const before = assembled.sections.find((section) => section.name === 'tool_results');
  const section: AssembledSection = {
    name: 'tool_results',
    text: `${before?.text ?? ''}${form.text}`,
    tokens: (before?.tokens ?? 0) + form.tokens,
    items: [...(before?.items ?? []), { item, form, narrowed: false }],
  };
  const tokens = assembled.tokens + form.tokens;
  return {
    ...assembled,
    budget: tokens > assembled.budget ? Math.max(assembled.budget, turnBudget) : assembled.budget,
    tokens,
    sections: [...assembled.sections.filter((each) => each !== before), section],
  };
}
