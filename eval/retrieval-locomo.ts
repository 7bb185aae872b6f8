import { aboveFloor } from '../src/retrieval/floor.ts';
import type { Scope } from '../src/scope.ts';
import { readRows } from './retrieval-data.ts';
import { recallAt } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import type { EvalTurn } from './retrieval-store.ts';

interface Utterance {
  id: string;
  speaker: string;
  text: string;
  image_caption?: string;
}

interface Conversation {
  conversation: string;
  sessions: { turns: Utterance[] }[];
}

interface Question {
  conversation: string;
  question: string;
  evidence: string[];
  evidence_audited?: string[];
}

const SET = 'locomo';
const CUTS = [3, 5, 10];

const speak = ({ speaker, text, image_caption: caption }: Utterance): string =>
  `${speaker}: ${text}${caption ? ` [${caption}]` : ''}`;

/** Two utterances a turn, within a session; `turnOf` tells each utterance's turn. */
function toTurns({ sessions }: Conversation): { turns: EvalTurn[]; turnOf: Map<string, number> } {
  const turns: EvalTurn[] = [];
  const turnOf = new Map<string, number>();
  for (const session of sessions) {
    for (let at = 0; at < session.turns.length; at += 2) {
      const pair = session.turns.slice(at, at + 2);
      const [message = '', response = ''] = pair.map(speak);
      turns.push({ message, response });
      for (const { id } of pair) turnOf.set(id, turns.length);
    }
  }
  return { turns, turnOf };
}

/** Questions about long conversations; each conversation is searched alone, as a project's turns are. */
export const locomo: RetrievalSet = {
  name: SET,
  folder: SET,
  isReranked: false,
  figures: [
    { name: 'recall@3', floor: null, goal: 0.62 },
    { name: 'recall@5', floor: 0.652, goal: 0.7, published: 'DRAGON, single utterances .567' },
    { name: 'recall@10', floor: 0.724, goal: 0.78, published: 'DRAGON, single utterances .662' },
    // what the floor of confidence leaves of them
    { name: 'floored@10', floor: null, goal: 0.78 },
  ],

  async prepare(store) {
    const scopes = new Map<string, { scope: Scope; turnOf: Map<string, number> }>();
    for (const conversation of readRows<Conversation>(SET, 'conversations.dev.jsonl.gz')) {
      const { turns, turnOf } = toTurns(conversation);
      const scope = await store.addProject(`${SET}-${conversation.conversation}`);
      await store.addTurns(scope, turns);
      scopes.set(conversation.conversation, { scope, turnOf });
    }
    const questions = readRows<Question>(SET, 'dev.jsonl');

    return async (search) => {
      const rankings: { found: string[]; floored: string[]; relevant: string[] }[] = [];
      for (const { conversation, question, evidence, evidence_audited: audited } of questions) {
        const place = scopes.get(conversation);
        if (!place) continue;
        const relevant = (audited ?? evidence)
          .map((id) => place.turnOf.get(id))
          .filter((turn) => turn !== undefined)
          .map(String);
        if (relevant.length === 0) continue;
        const turns = await search.findTurns(place.scope, question, 10);
        const names = (hits: readonly { turn_number: number }[]) =>
          hits.map(({ turn_number }) => String(turn_number));
        const { hits: above } = aboveFloor(turns, search.floor);
        rankings.push({ found: names(turns), floored: names(above), relevant });
      }
      const recall = (k: number, of: 'found' | 'floored') =>
        rankings.map((ranking) => recallAt(k)(ranking[of], ranking.relevant));
      return {
        ...Object.fromEntries(CUTS.map((k) => [`recall@${k}`, recall(k, 'found')])),
        'floored@10': recall(10, 'floored'),
      };
    };
  },
};
