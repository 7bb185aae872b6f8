// The whole service in one scripted conversation, checked on the way: npm run demo. Needs no key and no network.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAnswerPrinter } from './answer-printer.ts';
import {
  CheckFailed,
  type Checks,
  checkBrief,
  checkCitation,
  checkTurn,
  createChecks,
  recollection,
} from './checks.ts';
import { type Client, createClient } from './client.ts';
import { knowledgeTokens, tokensOfEverything } from './everything.ts';
import {
  heading,
  line,
  printBrief,
  printComparison,
  printFile,
  printMessage,
  printReceipt,
  printRoute,
  printSummary,
} from './print.ts';
import { research } from './research.ts';
import { startService } from './service.ts';
import { MISTAKE, type ScriptedTurn, SESSION } from './session.ts';
import { cancelTurn, streamTurn } from './streaming.ts';
import type { TurnAnswer } from './wire.ts';

const READABLE = ['campaign-research-q3.docx', 'stakeholder-notes.md'];
const DAMAGED = 'budget-forecast.docx';
const SUMMARY_WAIT_MS = 30_000;

async function uploadAll(client: Client, project: string, checks: Checks): Promise<string[]> {
  const markdown: string[] = [];
  for (const name of [...READABLE, DAMAGED]) {
    const bytes = await readFile(new URL(`documents/${name}`, import.meta.url));
    const file = await client.upload(project, name, new Uint8Array(bytes));
    printFile(file);
    const expected = name === DAMAGED ? 'failed' : 'completed';
    checks.that(file.status === expected, `${name} ended ${file.status}, not ${expected}`);
    const same = bytes.equals(await client.content(project, name));
    checks.that(same, `the bytes of ${name} came back changed`);
    if (name !== DAMAGED) markdown.push(await client.markdown(project, name));
    else checks.that((file.last_error?.message.length ?? 0) > 20, `${name} failed without saying why`);
  }
  const found = await client.search(project, 'Budget forecast: programme spend and reserve', ['documents']);
  checks.that(found.length > 0, 'search found nothing at all');
  checks.that(
    !found.some((passage) => passage.kind === 'document' && passage.filename === DAMAGED),
    `search found the damaged ${DAMAGED}`,
  );
  return markdown;
}

/** Turns are summarised and indexed after their reply. A reader takes longer than that; a script must wait. */
async function untilIndexed(client: Client, project: string, turn: number, query: string): Promise<void> {
  const deadline = Date.now() + SUMMARY_WAIT_MS;
  while (Date.now() < deadline) {
    const found = await client.search(project, query, ['turns']);
    if (found.some((passage) => passage.kind === 'turn' && passage.turn_number === turn)) return;
    await sleep(100);
  }
  throw new CheckFailed(`turn ${turn} was not indexed within ${SUMMARY_WAIT_MS / 1000} s`);
}

/** One turn of the script: as JSON, or as events where the script says so. */
async function say(
  client: Client,
  checks: Checks,
  project: string,
  script: ScriptedTurn,
): Promise<TurnAnswer> {
  if (script.stream) {
    return streamTurn(client, checks, project, script.message, { leave: script.stream === 'broken' });
  }
  const turn = await client.say(project, script.message);
  printMessage(turn.turn_number, turn.message);
  if (turn.routing) printRoute(turn.routing);
  const printer = createAnswerPrinter('answer');
  printer.add(turn.response ?? '');
  printer.end();
  return turn;
}

async function converse(client: Client, project: string, documents: string[], checks: Checks) {
  const knowledge = knowledgeTokens(await client.knowledge());
  const history: TurnAnswer[] = [];
  const figures = { sent: 0, everything: 0, citations: 0 };
  for (const script of SESSION) {
    if (script.recalls !== undefined) await untilIndexed(client, project, script.recalls, script.message);
    const everything = tokensOfEverything(documents, knowledge, history, script.message);
    const turn = await say(client, checks, project, script);
    const receipt = await client.receipt(project, turn.turn_number);
    printReceipt(receipt, everything);
    checkTurn(checks, script, turn, receipt);
    const remembered = script.recalls === undefined ? null : recollection(turn, script.recalls);
    if (remembered !== null) line('recalled', remembered);
    for (const citation of turn.citations) {
      const markdown = await client.markdown(project, citation.filename, citation.version);
      checkCitation(checks, citation, markdown);
    }
    history.push(turn);
    figures.sent += receipt.tokens;
    figures.everything += everything;
    figures.citations += turn.citations.length;
  }
  checks.that(figures.citations > 0, 'no turn cited anything');
  checks.that(figures.sent < figures.everything, 'the prompts were no smaller than sending everything');
  return figures;
}

async function conversation(client: Client, checks: Checks, url: string): Promise<void> {
  const { id } = await client.createProject('Campaign ROI analysis');
  heading(`Project ${id} on ${url}: three uploads, one of them damaged`);
  const documents = await uploadAll(client, id, checks);
  heading(`A conversation of ${SESSION.length} turns`);
  printComparison();
  const figures = await converse(client, id, documents, checks);
  await cancelTurn(client, checks, id, MISTAKE);
  heading('The problem brief, filled by what was said');
  const brief = await client.brief(id);
  checkBrief(checks, SESSION, brief);
  printBrief(brief);
  printSummary({ turns: SESSION.length, checks: checks.count, ...figures });
}

const SCRIPTS = { conversation, research } as const;

async function main(): Promise<void> {
  const [name = 'conversation'] = process.argv.slice(2);
  if (!Object.hasOwn(SCRIPTS, name)) {
    throw new CheckFailed(`there is no demo "${name}": ${Object.keys(SCRIPTS).join(' or ')}`);
  }
  const service = await startService();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(130)));
  }
  try {
    const checks = createChecks();
    const client = createClient(service.url);
    await SCRIPTS[name as keyof typeof SCRIPTS](client, checks, service.url);
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  const failed = error instanceof CheckFailed;
  console.error(failed ? `\nDEMO FAILED: ${error.message}` : error);
  process.exitCode = 1;
});
