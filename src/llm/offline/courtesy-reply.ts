import type { AnswerFacts } from '../model.ts';
import { inline } from './clip.ts';
import { type Courtesy, courtesyOf } from './courtesies.ts';
import { isFiller } from './filler.ts';
import { plain } from './words.ts';

const CLAUSES = /[,.;:!?…\n。，、！？；：]+/u;
const LONGEST = 200;
const HOW_ARE_YOU = /\bhow (?:are|r) (?:you|u)|how(?:s| is) it going|wie geht|ca va|como estas|come stai/;
const WHO_ARE_YOU =
  /^(?:and |so )?(?:who|what) (?:are|r) (?:you|u)\b|^what (?:can|could|do) (?:you|u) (?:do|help)|^how (?:can|do) (?:you help|i use you|you work)|^(?:help|hilfe)$|^wer bist du|^was kannst du|^qui es-tu|^quien eres|^chi sei/;
const WITHOUT_QUESTIONS = new Set<Courtesy>(['thanks', 'farewell', 'apology']);

/** What a message is that is nothing but courtesy: the purpose that the reply answers. Null: it says or asks something. */
export function courtesyIn(message: string): Courtesy | null {
  if (message.length > LONGEST || /\p{N}/u.test(message)) return null;
  const clauses = message.split(CLAUSES).filter((clause) => /\p{L}/u.test(clause));
  const kinds = clauses.map((clause) => courtesyOf(clause) ?? (isFiller(clause) ? 'filler' : null));
  if (kinds.includes(null)) return null;
  const found = (['farewell', 'greeting', 'thanks', 'apology'] as const).find((kind) => kinds.includes(kind));
  return found ?? null;
}

/** Whether a message asks what it is that answers here. */
export const asksWhoYouAre = (question: string): boolean => WHO_ARE_YOU.test(plain(question).trim());

/** A reply as somebody would give it, and whether the next questions belong under it. */
export function courtesyReply(
  courtesy: Courtesy,
  { message, projectName, files }: Pick<AnswerFacts, 'message' | 'projectName' | 'files'>,
): { text: string; asks: boolean } {
  return {
    text: replyTo(courtesy, message, inline(projectName), files.length),
    asks: !WITHOUT_QUESTIONS.has(courtesy),
  };
}

function replyTo(courtesy: Courtesy, message: string, project: string, files: number): string {
  switch (courtesy) {
    case 'thanks':
      return 'You are welcome. Ask on whenever you like.';
    case 'farewell':
      return 'Goodbye, see you next time. What was said here is kept, and we can go on from it.';
    case 'apology':
      return 'No harm done.';
    default: {
      const hello = HOW_ARE_YOU.test(plain(message)) ? 'Hello! All is well here, thank you.' : 'Hello!';
      const search =
        files === 0
          ? 'Upload files and I can search and quote them'
          : `I can search and quote ${files === 1 ? 'its file' : `its ${files} files`}`;
      return `${hello} This is the copilot of "${project}". ${search}; tell me what you know, and I keep it.`;
    }
  }
}
