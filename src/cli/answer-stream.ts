import type { Schema } from '../../clients/typescript/src/index.ts';
import type { CommandContext } from './context.ts';
import { CliError, EXIT, problemError } from './exit.ts';
import { clip } from './output.ts';

type AnswerEvent = Schema<'TurnEvent'> | Schema<'ResearchEvent'>;

/** What an event tells of the whole turn or run, as it then is. */
type Whole<E extends AnswerEvent> = Exclude<
  Extract<E, { event: `turn.${string}` | `run.${string}` }>,
  { event: 'turn.failed' | 'run.failed' }
>['data'];

/** Something that answers in events: a turn, or a run of the research agent. */
interface AnswerRequest<E extends AnswerEvent> {
  events: AsyncIterable<E>;
  /** Cancels one that goes on. */
  cancel(begun: Whole<E>): Promise<unknown>;
  /** Thoughts, and the inputs and results of calls, are shown too. */
  isVerbose: boolean;
}

/**
 * Asks for an answer and shows it as it comes. Ctrl-C cancels it; what it has said stays.
 *
 * @returns it as it ended
 * @throws CliError when it failed, or was cancelled here
 */
export async function followAnswer<E extends AnswerEvent>(
  context: CommandContext,
  request: AnswerRequest<E>,
): Promise<Whole<E>> {
  const { out, signal } = context;
  const show = createAnswerPrinter(context, request.isVerbose);
  let state: Whole<E> | null = null;
  const cancel = (): void => {
    if (state?.status !== 'in_progress') return;
    request.cancel(state).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of request.events) {
      if (out.isJson) out.json(event);
      else show(event);
      if (event.event === 'turn.failed' || event.event === 'run.failed') throw problemError(event.data);
      if (/^(turn|run)\./.test(event.event)) state = event.data as Whole<E>;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  if (!state || state.status === 'in_progress') {
    throw new CliError(
      EXIT.unavailable,
      'The stream ended before the answer did. It goes on: read it again.',
    );
  }
  if (!out.isJson) out.line();
  if (signal.aborted && state.status === 'cancelled') {
    throw new CliError(EXIT.interrupted, 'Cancelled; what was said by then is kept.');
  }
  return state;
}

/** Prints the answer as the result, and thoughts, routes and actions as remarks. */
function createAnswerPrinter({ out }: CommandContext, isVerbose: boolean): (event: AnswerEvent) => void {
  let hasText = false;
  let isThinking = false;
  const remark = (text: string): void => {
    if (isThinking) out.note('');
    isThinking = false;
    out.note(clip(text, out.width));
  };
  return ({ event, data }) => {
    switch (event) {
      case 'answer.delta':
        if (isThinking) out.note('');
        isThinking = false;
        hasText = true;
        out.write(data.text);
        break;
      case 'answer.reset':
        if (hasText) out.note('\n(what is above is taken back)');
        break;
      case 'reasoning.delta':
        if (isVerbose) out.remark(data.text);
        isThinking = isVerbose;
        break;
      case 'route.decided':
        if (out.isTerminal) remark(`[${[data.action, data.next_probe].filter(Boolean).join(', ')}]`);
        break;
      case 'tool.called':
        remark(`> ${data.name}${isVerbose ? ` ${JSON.stringify(data.input)}` : ''}`);
        break;
      case 'tool.returned':
        if (isVerbose) remark(`  ${data.is_error ? 'ERROR ' : ''}${data.content}`);
    }
  };
}

interface Cited {
  citations: {
    marker: number;
    filename: string;
    header_path: string[];
    page: number | null;
    quote: string;
    support?: string | null | undefined;
    source?: string | undefined;
  }[];
}

/** Where what an answer says comes from, a line a citation. */
export function citationLines({ citations }: Cited, width: number): string[] {
  return citations.map(({ marker, filename, header_path, page, quote, support, source }) => {
    const library = source === 'library' ? 'library: ' : '';
    const place = [filename, ...header_path].join(' > ') + (page === null ? '' : `, page ${page}`);
    const doubt = support === 'unsupported' ? ' (NOT SUPPORTED)' : '';
    return clip(`[${marker}] ${library}${place}${doubt}: ${quote}`, width);
  });
}
