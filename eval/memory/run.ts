import { withEvalDatabase } from '../retrieval-database.ts';
import { type Conversation, judge, type MemoryQuestion } from './conversation.ts';
import { loadConversation } from './load.ts';
import { type Asked, playConversation } from './play.ts';

/** Where in a prompt a fact can stand. */
const PLACES = {
  window: ['recent_turns'],
  recalled: ['retrieved_turns'],
  summary: ['routing_context'],
  state: ['register', 'skeleton'],
} as const;
type Place = keyof typeof PLACES;
const PLACE_NAMES: readonly Place[] = ['window', 'recalled', 'summary', 'state'];

/** Turns of one line of the report. */
const SPAN = 10;

export interface MemoryOutcome {
  fact: string;
  /** The turn that states it. */
  turn: number;
  places: Place[];
  reply: ReturnType<typeof judge>;
}

export interface MemoryFigures {
  questions: number;
  /** Whose fact stands in the prompt, anywhere and by place. */
  inPrompt: number;
  places: Record<Place, number>;
  /** What the offline model replied. */
  replies: Record<ReturnType<typeof judge>, number>;
}

export interface MemoryEval extends MemoryFigures {
  /** By the turn that states the fact, oldest first. */
  spans: (MemoryFigures & { from: number; to: number })[];
  outcomes: MemoryOutcome[];
}

/** Where the answer to a question stands in what was sent for it. */
export function placesOf(question: MemoryQuestion, { sections }: Pick<Asked, 'sections'>): Place[] {
  return PLACE_NAMES.filter((place) => {
    const names: readonly string[] = PLACES[place];
    const text = sections.filter(({ name }) => names.includes(name)).map((section) => section.text);
    return judge(question, text.join('\n')) === 'right';
  });
}

function figuresOf(outcomes: readonly MemoryOutcome[]): MemoryFigures {
  const count = (matches: (outcome: MemoryOutcome) => boolean): number => outcomes.filter(matches).length;
  const at = (place: Place): number => count(({ places }) => places.includes(place));
  const replied = (reply: MemoryOutcome['reply']): number => count((outcome) => outcome.reply === reply);
  return {
    questions: outcomes.length,
    inPrompt: count(({ places }) => places.length > 0),
    places: { window: at('window'), recalled: at('recalled'), summary: at('summary'), state: at('state') },
    replies: { right: replied('right'), outdated: replied('outdated'), missing: replied('missing') },
  };
}

/** What the prompts of the questions have, and what was replied to them. */
export function evaluateMemory(conversation: Conversation, asked: readonly Asked[]): MemoryEval {
  const turnOf = new Map(conversation.facts.map(({ id, turn }) => [id, turn]));
  const outcomes = conversation.questions.flatMap((question, index): MemoryOutcome[] => {
    const one = asked[index];
    const turn = turnOf.get(question.fact);
    if (!one || turn === undefined) return [];
    return [
      { fact: question.fact, turn, places: placesOf(question, one), reply: judge(question, one.reply) },
    ];
  });
  const last = Math.max(...outcomes.map(({ turn }) => turn));
  const spans = Array.from({ length: Math.ceil(last / SPAN) }, (_, index) => {
    const [from, to] = [index * SPAN + 1, (index + 1) * SPAN];
    return { from, to, ...figuresOf(outcomes.filter(({ turn }) => turn >= from && turn <= to)) };
  });
  return { ...figuresOf(outcomes), spans, outcomes };
}

/** Holds the conversation, and asks for each of its facts. */
export async function runMemoryEval(): Promise<MemoryEval> {
  const conversation = loadConversation();
  return withEvalDatabase(async ({ db, model }) =>
    evaluateMemory(conversation, await playConversation(db, model, conversation)),
  );
}

const COLUMNS = ['asked', 'in prompt', ...PLACE_NAMES, 'replied', 'outdated'];

function line(name: string, { questions, inPrompt, places, replies }: MemoryFigures): string {
  const cells = [
    questions,
    inPrompt,
    ...PLACE_NAMES.map((place) => places[place]),
    replies.right,
    replies.outdated,
  ];
  return `  ${name.padEnd(16)}${cells.map((cell, at) => String(cell).padStart((COLUMNS[at] ?? '').length + 2)).join('')}`;
}

/** The figures as a table, in questions. */
export function formatMemoryEval({ spans, outcomes, ...total }: MemoryEval): string {
  const missing = outcomes.filter(({ places }) => places.length === 0);
  return [
    `memory: facts of a conversation of 60 turns, asked for behind it`,
    `  ${''.padEnd(16)}${COLUMNS.map((column) => `  ${column}`).join('')}`,
    ...spans.map((span) => line(`turns ${span.from} to ${span.to}`, span)),
    line('all', total),
    ...(missing.length === 0 ? [] : [`  in no prompt: ${missing.map(({ fact }) => fact).join(', ')}`]),
  ].join('\n');
}
