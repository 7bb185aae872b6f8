import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import type { FoundPassage } from '../src/retrieval/passage.ts';
import type { Scope } from '../src/scope.ts';
import { toDocuments } from './docs-pages.ts';
import { reciprocalRankAt } from './retrieval-metrics.ts';
import type { EvalSearch } from './retrieval-search.ts';
import type { QuestionScores, RetrievalSet } from './retrieval-set.ts';

/** Written for this repository: short documents about one made-up project, and questions on them, in three languages. */
const FOLDER = join(packageRoot, 'eval', 'languages');
const LANGUAGES = ['de', 'fr', 'es'];
const PASSAGES = 10;
/** A little below what is reached: half a question. */
const FLOORS: Readonly<Record<string, number>> = { de: 0.95, fr: 0.94, es: 0.98, all: 0.93 };

interface Question {
  /** What makes it hard: another inflection, a compound, a date in another spelling... */
  kind: string;
  question: string;
  /** Where the answer stands. */
  file: string;
  section: string;
}

const markdownOf = (language: string): Map<string, string> =>
  new Map(
    readdirSync(join(FOLDER, language))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => [`${language}-${name}`, readFileSync(join(FOLDER, language, name), 'utf8')]),
  );

const questionsOf = (language: string): Question[] =>
  readFileSync(join(FOLDER, language, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Question);

const documentsOf = (texts: ReadonlyMap<string, string>) =>
  toDocuments(new Map([...texts].map(([name, markdown]) => [name, { doc: name, markdown, sections: [] }])));

/** The leaves found, best first, each as whether it has the section that answers. */
function leavesOf(found: readonly FoundPassage[], filename: string, section: { from: number; to: number }) {
  return found
    .flatMap((passage) => passage.matched_leaves.map((leaf) => ({ leaf, name: passage.filename })))
    .sort((a, b) => b.leaf.rank_score - a.leaf.rank_score)
    .map(({ leaf, name }) => {
      const shared = Math.min(section.to, leaf.char_end) - Math.max(section.from, leaf.char_start);
      return name === filename && shared > (section.to - section.from) / 2 ? 'answer' : 'other';
    });
}

function sectionIn(markdown: string, heading: string): { from: number; to: number } {
  const from = markdown.indexOf(`\n## ${heading}\n`);
  if (from < 0) throw new Error(`no section is called ${heading}`);
  const next = markdown.indexOf('\n## ', from + 1);
  return { from: from + 1, to: next < 0 ? markdown.length : next };
}

const found = reciprocalRankAt(5);

/** Questions over documents in German, French and Spanish, each in a project of its own, and all of them in one together. */
export const languages: RetrievalSet = {
  name: 'languages',
  folder: FOLDER,
  isReranked: true,
  figures: [
    ...LANGUAGES.map((language) => ({
      name: `${language} MRR@5`,
      floor: FLOORS[language] ?? null,
      goal: 0.9,
    })),
    { name: 'all MRR@5', floor: FLOORS.all ?? null, goal: 0.9 },
  ],

  async prepare(store) {
    const scopes = new Map<string, Scope>();
    const together = await store.addProject('languages');
    for (const language of LANGUAGES) {
      const documents = documentsOf(markdownOf(language));
      const alone = await store.addProject(`languages-${language}`);
      await store.addDocuments(alone, documents);
      await store.addDocuments(together, documents);
      scopes.set(language, alone);
    }

    async function ask(search: EvalSearch, scope: Scope, language: string): Promise<number[]> {
      const texts = markdownOf(language);
      const scores: number[] = [];
      for (const { question, file, section } of questionsOf(language)) {
        const filename = `${language}-${file}`;
        const answer = sectionIn(texts.get(filename) ?? '', section);
        const passages = await search.findDocuments(scope, question, PASSAGES);
        scores.push(found(leavesOf(passages, filename, answer), ['answer']));
      }
      return scores;
    }

    return async (search) => {
      const scores: QuestionScores = {};
      const all: number[] = [];
      for (const [language, alone] of scopes) {
        scores[`${language} MRR@5`] = await ask(search, alone, language);
        all.push(...(await ask(search, together, language)));
      }
      return { ...scores, 'all MRR@5': all };
    };
  },
};
