import type { Receipt } from '../../src/contract/receipt.ts';
import type { Database } from '../../src/db/database.ts';
import type { EmbeddingModel } from '../../src/embeddings/model.ts';
import type { LanguageModel } from '../../src/llm/model.ts';
import { createOfflineModel } from '../../src/llm/offline.ts';
import { fakeLanguageModel } from '../../test/fakes/language-model.ts';
import { turnBench } from '../../test/helpers/turns.ts';
import type { Conversation } from './conversation.ts';

/** What was sent for a question that follows the conversation, and what was replied. */
export interface Asked {
  sections: Receipt['sections'];
  reply: string;
}

/**
 * Holds the conversation with the service's own turns, the jobs behind each of them included, and then asks each question
 * by itself: what a question leaves is removed before the next. The offline model routes, summarises and answers the
 * questions; what the copilot says in the conversation is scripted.
 */
export async function playConversation(
  db: Database,
  embeddingModel: EmbeddingModel,
  { turns, questions }: Conversation,
): Promise<Asked[]> {
  const offline = createOfflineModel();
  const scripted = fakeLanguageModel((_, call) => ({ text: turns[call]?.reply ?? '' }));
  let answering: LanguageModel = scripted;
  const answer: LanguageModel = { ...offline, generate: (request) => answering.generate(request) };
  const models = { answer, router: offline, summary: offline };
  const bench = await turnBench(db, { ...models, embeddingModel });
  const { workspaceId, projectId } = bench.scope;
  for (const { user } of turns) {
    await bench.say(user);
    await bench.runJobs();
  }
  answering = offline;
  const { rows } = await db.query<{ state: unknown }>(
    'select state from projects where workspace_id = $1 and project_id = $2',
    [workspaceId, projectId],
  );
  const state = JSON.stringify(rows[0]?.state);
  const asked: Asked[] = [];
  for (const { question } of questions) {
    const turn = await bench.say(question);
    const receipt = await bench.service.getContext(bench.scope, turn.turn_number);
    asked.push({ sections: receipt?.sections ?? [], reply: turn.response ?? '' });
    const key = [workspaceId, projectId];
    await db.query('delete from jobs where workspace_id = $1 and project_id = $2', key);
    await db.query('delete from turns where workspace_id = $1 and project_id = $2 and turn_number > $3', [
      ...key,
      turns.length,
    ]);
    await db.query('update projects set state = $3 where workspace_id = $1 and project_id = $2', [
      ...key,
      state,
    ]);
  }
  return asked;
}
