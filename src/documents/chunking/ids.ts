import { hash } from 'node:crypto';
import { type EmbeddableLeaf, embeddingText } from './embedding-text.ts';

/** sha-256 hex of a context header and a text: of a leaf without a context, that is what its vector is kept under. */
export function contentHash(breadcrumb: string, text: string): string {
  return hash('sha256', embeddingText({ breadcrumb, text }));
}

/** What a leaf's vector is kept under: sha-256 hex of what is embedded. */
export const embeddedHash = ({ contentHash, ...leaf }: EmbeddableLeaf & { contentHash: string }): string =>
  leaf.context ? hash('sha256', embeddingText(leaf)) : contentHash;

/**
 * Makes ids that follow from what they name: the same file name and content (a hash of it) give the same id in every
 * version, so that what did not change keeps it. Equal ones are told apart by which of them they are, in document
 * order.
 */
export function idMaker(prefix: 'leaf' | 'par', filename: string): (content: string) => string {
  const seen = new Map<string, number>();
  return (content) => {
    const ordinal = seen.get(content) ?? 0;
    seen.set(content, ordinal + 1);
    return `${prefix}_${hash('sha256', `${filename}\0${content}\0${ordinal}`).slice(0, 24)}`;
  };
}
