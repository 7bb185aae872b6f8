import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type LabelledMessage, messageSchema } from './message.ts';

/** The labelled messages, in the order of the file. */
export function loadMessages(): LabelledMessage[] {
  const source = readFileSync(new URL('./messages.jsonl', import.meta.url), 'utf8');
  return source
    .trimEnd()
    .split('\n')
    .map((line) => messageSchema.parse(JSON.parse(line)));
}

/** Which half a message belongs to. Rules are improved on `tuning` alone, so that `held_out` says what they are worth. */
export function halfOf({ message }: LabelledMessage): 'tuning' | 'held_out' {
  const [first = 0] = createHash('sha256').update(message).digest();
  return first % 2 === 0 ? 'tuning' : 'held_out';
}
