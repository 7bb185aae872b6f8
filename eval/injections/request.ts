import { emptyState, type ProjectState } from '../../src/contract/state.ts';
import { type Assembled, type AssembleInput, assemble } from '../../src/copilot/assemble.ts';
import { buildPrompt, type Prompt } from '../../src/copilot/prompt.ts';
import { STATE_TOOL_DEFINITIONS } from '../../src/copilot/tools.ts';
import { prepareDocument } from '../../src/documents/conversion/prepare.ts';
import type { Knowledge } from '../../src/knowledge/entry.ts';
import { type AnthropicRequest, toAnthropicRequest } from '../../src/llm/anthropic-request.ts';
import { summaryFromFacts } from '../../src/llm/offline/summary.ts';
import type { Passage } from '../../src/retrieval/passage.ts';
import { fileNameFrom } from '../../src/services/file-names.ts';
import { registerAssumption } from '../../src/state/register.ts';
import { setSkeletonField } from '../../src/state/skeleton.ts';
import type { PlantedProject } from './plant.ts';

/** The request that a planted project's message makes, and what it was made from. */
export interface PlantedRequest {
  state: ProjectState;
  assembled: Assembled;
  prompt: Prompt;
  sent: AnthropicRequest;
}

const MODEL = 'claude-sonnet-5-5';
const NOW = new Date('2026-01-01T00:00:00Z');
// short sections stay by themselves, so that each has its own headings in its label
const CHUNKING = {
  strategy: 'hierarchical',
  leaf_min_tokens: 1,
  leaf_max_tokens: 200,
  parent_max_tokens: 2_000,
} as const;

/**
 * Assembles the request as a turn does. Every section of the documents is taken for found, and the earlier exchange is
 * both in the window and among what was recalled.
 *
 * @throws AppError `invalid_file_name` when the upload would refuse the name
 */
export async function requestOf(project: PlantedProject, knowledge: Knowledge): Promise<PlantedRequest> {
  const state = stateOf(project);
  const passages: Passage[] = [];
  for (const { name, bytes } of project.documents) {
    passages.push(...(await passagesOf(name, bytes.toString('utf8'))));
  }
  const input: AssembleInput = {
    projectName: 'Racks',
    state,
    message: project.message,
    priming: false,
    decision: null,
    knowledge,
    tools: STATE_TOOL_DEFINITIONS,
    passages,
    recalled: project.earlier.map(({ message, reply }) => ({
      turn_number: 1,
      status: 'completed',
      priming: false,
      probe: null,
      message,
      response: reply,
      summary: message,
      score: 0.5,
      rank_score: 0.5,
      explain: null,
    })),
    recent: project.earlier.map(({ message, reply }) => ({
      turn_number: 2,
      status: 'completed',
      priming: false,
      message,
      response: reply,
    })),
    budgets: { turn: 12_000, filler: 5_000 },
  };
  const assembled = assemble(input);
  const prompt = buildPrompt(assembled, input);
  const sent = toAnthropicRequest(MODEL, {
    ...prompt,
    tools: [...STATE_TOOL_DEFINITIONS],
    maxOutputTokens: 1_000,
  });
  return { state, assembled, prompt, sent };
}

function stateOf({ documents, state: planted }: PlantedProject): ProjectState {
  const state = emptyState();
  const { stakeholders } = planted.skeleton;
  return {
    ...state,
    org_context: planted.orgContext,
    skeleton:
      stakeholders === undefined
        ? {}
        : setSkeletonField({}, 'stakeholders', stakeholders, { turn: 1, now: NOW }),
    assumptions: planted.assumptions.reduce(
      (register, statement) =>
        registerAssumption(register, { statement, confidence: 'guessed', impact: 'high' }, 1).assumptions,
      state.assumptions,
    ),
    file_summaries: documents.map(({ name, bytes }) => ({
      filename: fileNameFrom(name),
      uploaded_at: NOW.toISOString(),
      summary: summaryFromFacts({ task: 'summarise', kind: 'file', text: bytes.toString('utf8') }),
      chunk_count: 1,
      version: 1,
      summary_version: 1,
    })),
  };
}

async function passagesOf(rawName: string, markdown: string): Promise<Passage[]> {
  const filename = fileNameFrom(rawName);
  const fidelity = { score: 1, counts: {}, losses: [] };
  const { document } = await prepareDocument(
    { markdown, format: 'markdown', fidelity },
    { name: filename, chunking: CHUNKING },
  );
  return document.parents.map((parent) => ({
    source: 'project',
    parent_id: parent.id,
    text: parent.text,
    context_header: parent.breadcrumb,
    filename,
    media_type: 'text/markdown',
    version: 1,
    header_path: parent.headerPath,
    page: null,
    score: 0.5,
    rank_score: 0.5,
    char_start: parent.charStart,
    char_end: parent.charEnd,
    tokens: parent.tokens,
    matched_leaves: document.leaves
      .filter(({ parentId }) => parentId === parent.id)
      .map(({ id, text, charStart, charEnd }) => ({
        leaf_id: id,
        rank_score: 0.5,
        char_start: charStart,
        char_end: charEnd,
        text,
      })),
    explain: null,
  }));
}
