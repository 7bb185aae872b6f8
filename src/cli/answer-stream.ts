import { type ApiEvent, problemOf } from './api.ts';
import type { CommandContext } from './context.ts';
import { CliError, EXIT, problemError } from './exit.ts';
import { clip } from './output.ts';

/** Something that answers in events: a turn, or a run of the research agent. */
interface AnswerRequest<Ended> {
  path: string;
  body: unknown;
  /** What its own events begin with: `turn.created`, `run.completed`. */
  subject: 'turn' | 'run';
  /** Where one that goes on is cancelled. */
  cancelPath(begun: Ended): string;
  /** Thoughts, and the inputs and results of calls, are shown too. */
  isVerbose: boolean;
}

/**
 * Asks for an answer and shows it as it comes. Ctrl-C cancels it; what it has said stays.
 *
 * @returns it as it ended
 * @throws CliError when it failed, or was cancelled here
 */
export async function followAnswer<Ended extends { status: string }>(
  context: CommandContext,
  request: AnswerRequest<Ended>,
): Promise<Ended> {
  const { api, out, signal } = context;
  const show = createAnswerPrinter(context, request.isVerbose);
  let state: Ended | null = null;
  const cancel = (): void => {
    if (state?.status !== 'in_progress') return;
    api.json('POST', request.cancelPath(state)).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of api.events('POST', request.path, { body: request.body })) {
      if (out.isJson) out.json(event);
      else show(event);
      if (event.event === `${request.subject}.failed`) throw failureOf(event.data);
      if (event.event.startsWith(`${request.subject}.`)) state = event.data as Ended;
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

const failureOf = (data: unknown): CliError => {
  const problem = problemOf(data);
  return problem ? problemError(problem) : new CliError(EXIT.failed, 'It failed.');
};

/** Prints the answer as the result, and thoughts, routes and actions as remarks. */
function createAnswerPrinter({ out }: CommandContext, isVerbose: boolean): (event: ApiEvent) => void {
  let hasText = false;
  let isThinking = false;
  const remark = (text: string): void => {
    if (isThinking) out.note('');
    isThinking = false;
    out.note(clip(text, out.width));
  };
  return ({ event, data }) => {
    const of = data as Record<string, unknown>;
    switch (event) {
      case 'answer.delta':
        if (isThinking) out.note('');
        isThinking = false;
        hasText = true;
        out.write(String(of.text));
        break;
      case 'answer.reset':
        if (hasText) out.note('\n(what is above is taken back)');
        break;
      case 'reasoning.delta':
        if (isVerbose) out.remark(String(of.text));
        isThinking = isVerbose;
        break;
      case 'route.decided':
        if (out.isTerminal) remark(`[${[of.action, of.next_probe].filter(Boolean).join(', ')}]`);
        break;
      case 'tool.called':
        remark(`> ${String(of.name)}${isVerbose ? ` ${JSON.stringify(of.input)}` : ''}`);
        break;
      case 'tool.returned':
        if (isVerbose) remark(`  ${of.is_error ? 'ERROR ' : ''}${String(of.content)}`);
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
