import { startTestApp, type TestApp } from '../../test/helpers/app.ts';
import { type Outcome, unmet } from './check.ts';
import type { Dialogue } from './dialogue.ts';
import { dialogueDocuments, loadDialogues } from './load.ts';

/** What came of one scripted exchange. */
export interface PlayedDialogue {
  id: string;
  kind: Dialogue['kind'];
  /** What does not hold, a line each; empty: the exchange passes. */
  unmet: string[];
  reply: string;
}

/** Sends a message, and waits until all that follows from it is done: later turns find it by its summary. */
async function say(app: TestApp, project: string, message: string) {
  const { status, body } = await app.call('POST', `/projects/${project}/turns`, { message });
  if (status !== 201) throw new Error(`"${message}" was answered ${status}: ${JSON.stringify(body)}`);
  await app.settle();
  return body;
}

/** The project's documents as the service has them. */
async function uploadAll(app: TestApp, dialogue: Dialogue): Promise<string[]> {
  const texts: string[] = [];
  for (const { name, bytes } of dialogueDocuments(dialogue)) {
    await app.upload(dialogue.id, { [name]: bytes });
    texts.push((await app.call('GET', `/projects/${dialogue.id}/files/${name}/markdown`)).text);
  }
  return texts;
}

async function outcomeOf(app: TestApp, { id, message }: Dialogue): Promise<Outcome> {
  const turn = await say(app, id, message);
  const state = (await app.call('GET', `/projects/${id}/state`)).body;
  const fields: [string, { value: string }][] = Object.entries(state.skeleton);
  const citations: { filename: string; quote: string }[] = turn.citations;
  const assumptions: { statement: string }[] = state.assumptions;
  return {
    reply: turn.response,
    citations: citations.map(({ filename, quote }) => ({ document: filename, quote })),
    skeleton: Object.fromEntries(
      fields.filter(([, { value }]) => value !== '').map(([field, { value }]) => [field, value]),
    ),
    assumptions: assumptions.map(({ statement }) => statement),
    documentsSearched: turn.routing.requires_retrieval,
  };
}

/** Plays every scripted exchange, each in a project of its own, through the service without keys. */
export async function runDialogueEval(): Promise<PlayedDialogue[]> {
  const { dialogues, always } = loadDialogues();
  const app = await startTestApp({ ownEmbeddings: true });
  try {
    const played: PlayedDialogue[] = [];
    for (const dialogue of dialogues) {
      const { id, kind, earlier } = dialogue;
      await app.call('POST', '/projects', { id, name: dialogue.project });
      const texts = await uploadAll(app, dialogue);
      for (const message of earlier) await say(app, id, message);
      const outcome = await outcomeOf(app, dialogue);
      const failed = [dialogue.expect, always].flatMap((expected) => unmet(expected, outcome, texts));
      played.push({ id, kind, unmet: failed, reply: outcome.reply });
    }
    return played;
  } finally {
    await app.close();
  }
}

/** How many pass of each kind, and of those that do not, what is wrong. */
export function formatDialogueEval(played: readonly PlayedDialogue[]): string {
  const kinds = [...new Set(played.map(({ kind }) => kind))];
  const passed = (some: readonly PlayedDialogue[]) => some.filter((one) => one.unmet.length === 0).length;
  const line = (name: string, some: readonly PlayedDialogue[]) =>
    `  ${name.padEnd(12)} ${passed(some)} of ${some.length}`;
  return [
    'dialogues with the offline model',
    ...played
      .filter((one) => one.unmet.length > 0)
      .map(({ id, unmet: lines }) => `  ${id}: ${lines.join('; ')}`),
    ...kinds.map((kind) =>
      line(
        kind,
        played.filter((one) => one.kind === kind),
      ),
    ),
    line('all', played),
  ].join('\n');
}
