import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Conversation, conversationSchema } from './conversation.ts';

/** The scripted conversation, the facts that are stated in it, and the questions that follow it. */
export function loadConversation(): Conversation {
  const source = readFileSync(new URL('./conversation.yaml', import.meta.url), 'utf8');
  return conversationSchema.parse(parse(source));
}
