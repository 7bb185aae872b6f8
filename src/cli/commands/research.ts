import { type Command, Option } from 'commander';
import type { Question, Schema } from '../../../clients/typescript/src/index.ts';
import { SOURCES } from '../../scope.ts';
import { citationLines, followAnswer } from '../answer-stream.ts';
import { type CommandContext, type Terminal, withService } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { type PlaceOptions, projectOf, projectOption } from '../place.ts';
import { collect, wholeNumber } from './search.ts';

interface ResearchOptions extends PlaceOptions {
  file: string[];
  source?: NonNullable<Question['sources']>;
  maxSteps?: number;
}

/** `forge research`: a question answered in several steps, its thoughts and actions shown as they come. */
export function researchCommand(program: Command, terminal: Terminal): void {
  program
    .command('research')
    .description(
      'Have the research agent answer a question in several steps; thoughts and actions are shown as they come',
    )
    .argument('<question...>', 'what is to be found out')
    .addOption(projectOption())
    .option(
      '--file <name>',
      'the file that the question means, where it could mean several; may repeat',
      collect,
      [],
    )
    .addOption(
      new Option('--source <sources...>', 'where it may look: both, unless this says one').choices(SOURCES),
    )
    .option('--max-steps <count>', 'calls of the model at most', wholeNumber)
    .addHelpText(
      'after',
      '\nExample:\n  forge research "What do my notes and the report disagree on?" --project roi',
    )
    .action(async (words: string[], options: ResearchOptions, command: Command) => {
      const project = projectOf(options);
      const question = {
        question: words.join(' '),
        files: options.file,
        ...(options.source && { sources: options.source }),
        ...(options.maxSteps !== undefined && { limits: { max_steps: options.maxSteps } }),
      };
      await withService(
        { command, terminal },
        async (context) => {
          const { api } = context;
          const run = await followAnswer(context, {
            events: api.research(project, question),
            cancel: ({ id }) =>
              api.call('post', '/projects/{project_id}/research/{run_id}/cancel', {
                path: { project_id: project, run_id: id },
              }),
            isVerbose: true,
          });
          tellEnd(context, run);
        },
        { withJobs: true },
      );
    });
}

function tellEnd({ out }: CommandContext, run: Schema<'ResearchRun'>): void {
  const { status, answer, steps, candidates, usage } = run;
  if (!out.isJson) {
    if (status === 'needs_clarification' && answer !== null) out.line(answer);
    for (const line of citationLines(run, out.width)) out.line(line);
    const cost = usage?.cost_usd ? `, $${usage.cost_usd.toFixed(4)}` : '';
    out.note(`run ${run.id}, ${status}: ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${cost}`);
  }
  if (status === 'completed' || status === 'step_limit_reached') return;
  const choose = candidates.map(({ filename }) => `--file ${JSON.stringify(filename)}`).join(' or ');
  throw new CliError(EXIT.failed, choose === '' ? `The run was ${status}.` : `Ask again with ${choose}.`);
}
