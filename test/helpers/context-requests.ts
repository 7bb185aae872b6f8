import type { FakeAnthropic, Scripted } from '../fakes/anthropic-server.ts';

type Request = FakeAnthropic['requests'][number];

/** Each section is a leaf. */
export const CUT = `chunking=${encodeURIComponent('{"strategy":"hierarchical","leaf_min_tokens":1}')}`;

/** A document with so many leaves, of words that stand in no context. */
export const harbour = (sections: number, changed: Record<number, string> = {}): string =>
  Array.from(
    { length: sections },
    (_, at) =>
      `# Quay ${at}\n\n${changed[at] ?? `The ferry of quay ${at} sails every day at ${at % 24} o'clock with freight and passengers, and the tide table hangs beside the office of the warden, who sells the tickets and stamps the papers.`}`,
  ).join('\n\n');

/** Whether it is contexts that are asked for. */
export const isAsking = ({ system }: Request): boolean => JSON.stringify(system).includes('prepare passages');

/** The blocks of a request for contexts: what all over a part share, and the passages. */
export function blocksOf(request: Request | undefined) {
  const content = request?.messages[0]?.content;
  const [prefix, passages] = Array.isArray(content) ? content : [];
  return { prefix, passages: passages?.text ?? '' };
}

/** The numbers and texts of the passages that a request asks for. */
export function passagesOf(request: Request): { passage: number; text: string }[] {
  const found = blocksOf(request).passages.matchAll(/<passage number="(\d+)">\n(.*?)\n<\/passage>/gs);
  return [...found].map(([, passage, text]) => ({ passage: Number(passage), text: text ?? '' }));
}

/** A context of each passage: a word that stands nowhere in the document, and what the passage begins with. */
export const placed = (request: Request): Scripted => ({
  json: {
    contexts: passagesOf(request).map(({ passage, text }) => ({
      passage,
      context: `Of the archipelago guide, on ${text.split('\n')[0]?.replace('# ', '')}.`,
    })),
  },
});
