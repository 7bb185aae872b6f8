import { type Command, Option } from 'commander';
import type { Message, Schema } from '../../../clients/typescript/src/index.ts';
import { citationLines, followAnswer } from '../answer-stream.ts';
import { type CommandContext, type Terminal, withService } from '../context.ts';
import { type PlaceOptions, projectOf, projectOption } from '../place.ts';

type TurnOptions = PlaceOptions & Pick<Message, 'retrieval' | 'research'>;

/** `forge turn`: one message, its reply as it comes. */
export function turnCommand(program: Command, terminal: Terminal): void {
  program
    .command('turn')
    .description('Say something to the copilot of a project and read its reply as it comes')
    .argument('<message...>', 'what you say; - reads it from standard input')
    .addOption(projectOption())
    .addOption(
      new Option('--retrieval <when>', 'whether documents are looked up').choices([
        'auto',
        'always',
        'never',
      ]),
    )
    .option('--research', 'have the research agent answer, in several steps')
    .addHelpText(
      'after',
      '\nExamples:\n  forge turn "Who decides on the budget?" --project roi\n  cat notes.txt | forge turn - --project roi',
    )
    .action(async (words: string[], options: TurnOptions, command: Command) => {
      const project = projectOf(options);
      const message = words.length === 1 && words[0] === '-' ? await readInput(terminal) : words.join(' ');
      await withService(
        { command, terminal },
        async (context) => {
          const { retrieval, research } = options;
          const turn = await sayTurn(context, project, {
            message,
            ...(retrieval !== undefined && { retrieval }),
            ...(research && { research }),
          });
          printEnd(context, turn);
        },
        { withJobs: true },
      );
    });
}

/** Says something and shows the reply as it comes. */
export function sayTurn(context: CommandContext, project: string, message: Message): Promise<Schema<'Turn'>> {
  const { api } = context;
  return followAnswer(context, {
    events: api.turn(project, message),
    cancel: ({ turn_number: n }) =>
      api.call('post', '/projects/{project_id}/turns/{n}/cancel', { path: { project_id: project, n } }),
    isVerbose: message.research === true,
  });
}

async function readInput({ stdin }: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** What the reply rests on, and what it cost. */
export function printEnd({ out }: Pick<CommandContext, 'out'>, turn: Schema<'Turn'>): void {
  if (out.isJson) return;
  const lines = citationLines(turn, out.width);
  if (lines.length > 0) out.line(`\n${lines.join('\n')}`);
  const { context, usage } = turn;
  const sent = context ? `${context.tokens} of ${context.budget} tokens sent` : 'nothing sent';
  const cost = usage?.cost_usd ? `, $${usage.cost_usd.toFixed(4)}` : '';
  out.note(`turn ${turn.turn_number}, ${turn.status}: ${sent}${cost}`);
}
