import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knowledge } from '../src/knowledge/entry.ts';
import { loadKnowledge } from '../src/knowledge/load.ts';
import { packageRoot } from '../src/package-root.ts';
import { countTokens } from '../src/text/tokens.ts';
import { withBenchDatabase } from './bench-database.ts';
import { type BenchService, startService } from './bench-service.ts';
import { lineChart } from './chart.ts';
import { SESSION_MESSAGES, SESSION_STATE, sessionFiles } from './session.ts';

const GOAL = { saved: 0.85, filler: 5_000, turn: 12_000 };

/** One turn: what was sent, and what sending everything would have taken. */
export interface TokensRow {
  turn: number;
  message: string;
  filler: boolean;
  assembled: number;
  everything: number;
  saved: number;
}

/** The copilot's whole expertise in one mode: who sends everything cannot know which probe is due. */
const wholeKnowledge = ({ core, probes, patterns }: Knowledge): number =>
  [core.discovery, ...probes.discovery, ...patterns.discovery].reduce(
    (sum, { body }) => sum + countTokens(body),
    0,
  );

const STATE_SECTIONS = [
  'tool_definitions',
  'context_block',
  'register',
  'skeleton',
  'routing_context',
  'message',
];

async function runSession(service: BenchService): Promise<TokensRow[]> {
  const knowledge = await loadKnowledge(join(packageRoot, 'knowledge'));
  const files = sessionFiles();
  await service.makeProject('tokens', files);
  const fixed =
    wholeKnowledge(knowledge) + Object.values(files).reduce((sum, text) => sum + countTokens(text), 0);
  const rows: TokensRow[] = [];
  let history = 0;
  for (const [index, message] of SESSION_MESSAGES.entries()) {
    const turn = await service.say('tokens', message);
    await service.jobsDone();
    // tools, state and message cost the same either way
    const same = turn.context.sections
      .filter(({ name }) => STATE_SECTIONS.includes(name))
      .reduce((sum, { tokens }) => sum + tokens, 0);
    const everything = fixed + history + same;
    const assembled = turn.context.tokens;
    rows.push({
      turn: index + 1,
      message,
      filler: !turn.routing.requires_retrieval,
      ...{ assembled, everything, saved: 1 - assembled / everything },
    });
    history += countTokens(message) + countTokens(turn.response);
    const learned = SESSION_STATE[index + 1];
    if (learned) await service.learn('tokens', learned);
  }
  return rows;
}

/**
 * Thirty scripted turns in a project of twenty files, with the offline model and the local encoder: the tokens of each
 * assembled prompt beside those of a prompt that holds the whole expertise, all files and the whole conversation. The
 * picture goes to docs/tokens.svg.
 */
export async function runTokensBench(): Promise<{ rows: TokensRow[]; saved: number }> {
  const rows = await withBenchDatabase(undefined, async (db) => {
    const service = await startService(db, {});
    try {
      return await runSession(service);
    } finally {
      await service.close();
    }
  });
  const total = (of: 'assembled' | 'everything'): number => rows.reduce((sum, row) => sum + row[of], 0);
  const saved = 1 - total('assembled') / total('everything');
  for (const row of rows) {
    console.log(
      `${String(row.turn).padStart(3)}  ${row.filler ? 'filler' : '      '}  ${row.assembled.toLocaleString('en').padStart(7)}  ` +
        `${row.everything.toLocaleString('en').padStart(8)}  -${(100 * row.saved).toFixed(1)} %  ${row.message.slice(0, 60)}`,
    );
  }
  const largest = (filler: boolean): number =>
    Math.max(...rows.filter((row) => row.filler === filler).map((row) => row.assembled));
  console.log(
    `in all -${(100 * saved).toFixed(1)} % (goal -${100 * GOAL.saved} %); largest turn ${largest(false)} of ${GOAL.turn}, ` +
      `largest filler ${largest(true)} of ${GOAL.filler}`,
  );
  const picture = lineChart({
    title: `Tokens sent in each of ${rows.length} turns, ${Object.keys(sessionFiles()).length} files: ${(100 * saved).toFixed(1)} % fewer`,
    xLabel: 'turn',
    yLabel: 'tokens of the prompt',
    series: [
      { name: 'sending everything', colour: '#b04a2f', values: rows.map((row) => row.everything) },
      { name: 'assembled by Forge', colour: '#2f6db0', values: rows.map((row) => row.assembled) },
    ],
  });
  writeFileSync(join(packageRoot, 'docs', 'tokens.svg'), picture);
  if (saved < GOAL.saved) process.exitCode = 1;
  return { rows, saved };
}
