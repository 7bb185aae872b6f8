import { type Assembled, type AssembleInput, assemble } from '../../copilot/assemble.ts';
import { isBroadQuestion } from '../../copilot/broad-question.ts';
import { selectParentsAround } from '../../db/parents.ts';
import type { Passage } from '../../retrieval/passage.ts';
import { passageOf } from '../../retrieval/read-section.ts';
import { scopeOfSource } from '../../scope.ts';
import type { Preparation } from './turn-run.ts';

/** What is left of the budget for results of tools. */
const KEPT_FREE = 0.1;
/** Tokens of a section's label and tags, on the safe side. */
const LABEL_TOKENS = 80;
const MOST_NEIGHBOURS = 80;

/**
 * Assembles the prompt. Where the message asks for a document as a whole, the rest of the budget is filled: with the
 * sections around the best one of its file, then with further passages that the search has found. The file's sections
 * stand in their own order then, as a reader would have them.
 *
 * @param further passages that the search found beyond those of the input, in the order of their ranking
 * @throws AppError `message_too_large`, `state_too_large`
 */
export async function assembleBroadly(
  { deps, scope, signal }: Pick<Preparation, 'deps' | 'scope' | 'signal'>,
  input: AssembleInput,
  further: readonly Passage[],
): Promise<{ input: AssembleInput; assembled: Assembled }> {
  const assembled = assemble(input);
  const narrow = { input, assembled };
  const best = bestPassage(input, further);
  if (!best || assembled.dropped.length > 0) return narrow;
  if (!isBroadQuestion(input.message, input.decision, [...input.passages, ...further])) return narrow;
  const around = await selectParentsAround(deps.db, scopeOfSource(scope, best.source), {
    filename: best.filename,
    parentId: best.parent_id,
    limit: MOST_NEIGHBOURS,
  });
  signal.throwIfAborted();
  const room = assembled.budget * (1 - KEPT_FREE) - assembled.tokens;
  const added = fitting(
    [...around.map((parent) => passageOf(parent, best.source)), ...further],
    input.passages,
    room,
  );
  if (added.length === 0) return narrow;
  const passages = inReadingOrder([...input.passages, ...added], best);
  const broad = { ...input, passages };
  return { input: broad, assembled: assemble(broad) };
}

/**
 * The best passage of a file that the message is about, or else of all. "Summarise the report" bears on no section of it
 * more than on others: where none was worth showing by itself, the best one of those that were found counts.
 */
function bestPassage(
  { passages, decision }: AssembleInput,
  further: readonly Passage[],
): Passage | undefined {
  const isMeant = ({ source, filename }: Passage) =>
    source === 'project' && decision?.relevant_files.includes(filename) === true;
  const found = [...passages, ...further];
  return found.find(isMeant) ?? found[0];
}

/** Those that there is room for, each once and none that is there already. */
function fitting(candidates: readonly Passage[], present: readonly Passage[], room: number): Passage[] {
  const known = new Set(present.map(({ parent_id }) => parent_id));
  const taken: Passage[] = [];
  let left = room;
  for (const passage of candidates) {
    const tokens = passage.tokens + LABEL_TOKENS;
    if (known.has(passage.parent_id) || tokens > left) continue;
    known.add(passage.parent_id);
    left -= tokens;
    taken.push(passage);
  }
  return taken;
}

function inReadingOrder(passages: readonly Passage[], best: Passage): Passage[] {
  const isOfFile = (passage: Passage) => passage.source === best.source && passage.filename === best.filename;
  const ofFile = passages.filter(isOfFile);
  const others = passages.filter((passage) => !isOfFile(passage));
  return [...ofFile.toSorted((a, b) => a.char_start - b.char_start), ...others];
}
