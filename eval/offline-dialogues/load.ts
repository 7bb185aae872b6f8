import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type EvalDocument, ownDocuments } from '../documents/own.ts';
import { type Dialogue, dialogueFileSchema, type Expectation } from './dialogue.ts';

export interface Dialogues {
  dialogues: Dialogue[];
  /** What must hold of every reply. */
  always: Expectation;
}

/** The scripted exchanges, with the phrases that they refer to filled in. */
export function loadDialogues(): Dialogues {
  const source = readFileSync(new URL('./dialogues.yaml', import.meta.url), 'utf8');
  const { phrases, always, dialogues } = dialogueFileSchema.parse(parse(source));
  const fill = (wanted: string[]): string[] =>
    wanted.flatMap((phrase) => {
      if (!phrase.startsWith('$')) return [phrase];
      const list = phrases[phrase.slice(1)];
      if (!list) throw new Error(`dialogues.yaml has no phrases ${phrase}`);
      return list;
    });
  const filled = dialogues.map((dialogue): Dialogue => {
    const { contains_any } = dialogue.expect;
    if (!contains_any) return dialogue;
    return { ...dialogue, expect: { ...dialogue.expect, contains_any: contains_any.map(fill) } };
  });
  return { dialogues: filled, always };
}

/** The files that a dialogue's project has. */
export function dialogueDocuments({ project, documents }: Dialogue): EvalDocument[] {
  if (project === 'none') return [];
  return ownDocuments(project).filter(({ name }) => documents?.includes(name) ?? true);
}
