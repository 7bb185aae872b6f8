import type { Turn } from '../contract/turn.ts';
import { type ApiEvent, problemOf } from './api.ts';
import type { CommandContext } from './context.ts';
import { CliError, EXIT, problemError } from './exit.ts';
import { clip } from './output.ts';

interface SentTurn {
  message: string;
  retrieval?: string;
  min_score?: number;
}

const textOf = ({ data }: ApiEvent): string => (data as { text: string }).text;

/**
 * Says something and shows the reply as it comes. Ctrl-C cancels the turn, which keeps what it has said.
 *
 * @returns the turn as it ended
 * @throws CliError when it failed
 */
export async function sayTurn(context: CommandContext, project: string, sent: SentTurn): Promise<Turn> {
  const { api, out, signal } = context;
  let turn: Turn | null = null;
  let isFresh = true;
  const cancel = () => void cancelTurn(context, project, turn).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of api.events('POST', `${project}/turns`, { body: sent })) {
      if (out.isJson) out.json(event);
      if (event.event === 'answer.delta' && !out.isJson) {
        out.write(textOf(event));
        isFresh = false;
      }
      if (event.event === 'answer.reset' && !isFresh) note(context, 'what is above is taken back:');
      if (event.event === 'route.decided') tellRoute(context, event.data);
      if (event.event === 'tool.called') note(context, `(${(event.data as { name: string }).name})`);
      if (/^turn\.(?:created|completed|cancelled)$/.test(event.event)) turn = event.data as Turn;
      if (event.event === 'turn.failed') throw failureOf(event.data);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  if (!turn || turn.status === 'in_progress') {
    throw new CliError(EXIT.unavailable, 'The stream ended before the turn did. Read the turn again.');
  }
  if (!out.isJson) out.line();
  return turn;
}

/** A remark of ours on a line of its own, apart from the reply. */
function note({ out }: CommandContext, text: string): void {
  if (!out.isJson) out.note(`\n${text}`);
}

function tellRoute({ out }: CommandContext, data: unknown): void {
  const { next_probe: probe, action } = data as { next_probe: string | null; action: string };
  if (!out.isJson && out.isTerminal)
    out.note(clip(`[${action}${probe === null ? '' : `, ${probe}`}]`, out.width));
}

const failureOf = (data: unknown): CliError => {
  const problem = problemOf(data);
  return problem ? problemError(problem) : new CliError(EXIT.failed, 'The turn failed.');
};

async function cancelTurn({ api }: CommandContext, project: string, turn: Turn | null): Promise<void> {
  if (turn?.status === 'in_progress') await api.json('POST', `${project}/turns/${turn.turn_number}/cancel`);
}

/** Where what a reply says comes from, a line a citation. */
export function citationLines({ citations }: Pick<Turn, 'citations'>, width: number): string[] {
  return citations.map(({ marker, filename, header_path, page, quote, support }) => {
    const place = [filename, ...header_path].join(' > ') + (page === null ? '' : `, page ${page}`);
    const doubt = support === 'unsupported' ? ' (NOT SUPPORTED)' : '';
    return clip(`[${marker}] ${place}${doubt}: ${quote}`, width);
  });
}
