import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Schema } from '../../../clients/typescript/src/index.ts';
import { type SearchMode, searchModeSchema } from '../../contract/passage.ts';
import { type Terminal, withService } from '../context.ts';
import { clip, type Output } from '../output.ts';
import { libraryOption, type PlaceOptions, placeOf, projectOption } from '../place.ts';

interface SearchOptions extends PlaceOptions {
  limit: number;
  mode: SearchMode;
  minScore?: number;
  file: string[];
  turns?: boolean;
}

/** @throws InvalidArgumentError when an option's text is not a whole number from 1 */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

/** Gathers an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** `forge search`: passages that bear on a query. */
export function searchCommand(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('Find passages; in the library, unless a project is named')
    .argument('<query...>', 'what to look for')
    .addOption(projectOption())
    .addOption(libraryOption())
    .option('-n, --limit <count>', 'passages at most', wholeNumber, 4)
    .addOption(
      new Option('--mode <mode>', 'how to search').choices(searchModeSchema.options).default('hybrid'),
    )
    .option('--min-score <share>', 'the least confidence of what is shown, 0 to 1', share)
    .option('--file <name>', 'only in this file; may repeat', collect, [])
    .option('--turns', 'in the conversation, not in the documents')
    .addHelpText(
      'after',
      '\nExamples:\n  forge search who owns the budget --project roi\n  forge search "ticket ANL-2304" --mode lexical --json',
    )
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      await withService({ command, terminal }, async ({ api, out, signal }) => {
        const { at, path } = placeOf(options);
        const answer = await api.call('post', `${at}/search`, {
          path,
          body: requestOf(words.join(' '), options),
          signal,
        });
        if (out.isJson) out.json(answer);
        else printAnswer(answer, out);
      });
    });
}

const requestOf = (query: string, { limit, mode, minScore, file, turns, project }: SearchOptions) => ({
  query,
  limit,
  mode,
  // the library has no conversation to look in
  ...(project !== undefined && { kinds: [turns ? 'turns' : 'documents'] }),
  ...(minScore !== undefined && { min_score: minScore }),
  ...(file.length > 0 && { filters: { filenames: file } }),
});

function printAnswer(answer: Schema<'SearchAnswer'>, out: Output): void {
  for (const [index, passage] of answer.data.entries()) {
    const score = passage.score.toFixed(2);
    if (passage.kind === 'turn') {
      out.line(`${index + 1}. turn ${passage.turn_number}  ${score}`);
      out.line(`   ${clip(passage.message, out.width - 3)}`);
      out.line(`   ${clip(passage.response, out.width - 3)}\n`);
      continue;
    }
    const place = [passage.filename, ...passage.header_path].join(' > ');
    const page = passage.page === null ? '' : `, page ${passage.page}`;
    out.line(`${index + 1}. ${place}${page}  ${score}`);
    out.line(`${passage.text.trim().replace(/^/gm, '   ')}\n`);
    const others = passage.also_in.map(({ filename }) => filename);
    if (others.length > 0) out.line(`   Nearly the same stands in ${[...new Set(others)].join(', ')}.\n`);
  }
  if (answer.data.length > 0) return;
  const likeliest = answer.likeliest_file === null ? '' : `; the likeliest file is ${answer.likeliest_file}`;
  out.line(`Nothing of ${answer.considered} sections bears on this${likeliest}.`);
}
