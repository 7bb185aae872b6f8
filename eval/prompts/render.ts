import type { CapturedBlock, CapturedCase, CapturedRequest } from './capture.ts';

const SHOWN = 420;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const number = (value: number): string => value.toLocaleString('en');

/** Tokens of what was taken from documents: by the search, and by tools. */
const documentTokens = ({ sections }: CapturedCase): number =>
  sum(
    sections
      .filter(({ name }) => name === 'retrieved_documents' || name === 'tool_results')
      .map(({ tokens }) => tokens),
  );

/** Input tokens at the price of fresh ones: a cached one is a tenth, one that is written to the cache a quarter more. */
const billed = ({ tokens, read, written }: CapturedRequest): number =>
  Math.round(tokens - 0.9 * read + 0.25 * written);

function row(label: string, one: CapturedCase): string {
  const { requests } = one;
  const cells = [
    label,
    String(requests.length),
    number(sum(requests.map(({ tokens }) => tokens))),
    number(sum(requests.map(({ read }) => read))),
    number(sum(requests.map(({ written }) => written))),
    number(sum(requests.map(billed))),
    number(documentTokens(one)),
    number(one.budget),
  ];
  return `| ${cells.join(' | ')} |`;
}

function shortened(text: string): string {
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN / 2)}\n[…]\n${text.slice(-SHOWN / 2)}`;
}

function block({ place, tokens, marked, text }: CapturedBlock): string {
  // the fence must be longer than any in the text
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const mark = marked ? ', cache mark behind it' : '';
  return `${place}, ${number(tokens)} tokens${mark}\n\n${fence}text\n${shortened(text).trim()}\n${fence}\n`;
}

/** The requests of a turn: the first as a whole, of the others what is added. */
function requests(one: CapturedCase): string {
  let before: CapturedBlock[] = [];
  return one.requests
    .map((request, index) => {
      const { tokens, read, written, blocks } = request;
      const known = blocks.findIndex((each, at) => each.text !== before[at]?.text);
      const shown = index === 0 ? blocks : blocks.slice(known === -1 ? blocks.length : known);
      before = blocks;
      const title = `Request ${index + 1}: ${number(tokens)} tokens, ${number(read)} read from the cache, ${number(written)} written to it`;
      const more = index === 0 ? '' : `What request ${index} had comes first; added:\n\n`;
      return `**${title}**\n\n${more}${shown.map(block).join('\n')}`;
    })
    .join('\n');
}

const folded = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`;

/** The page that shows what is sent to the large model, beside what was sent before documents stood on the user side. */
export function renderPrompts(before: readonly CapturedCase[], now: readonly CapturedCase[]): string {
  const pairs = now.map((one) => ({ one, was: before.find(({ id }) => id === one.id) }));
  const table = pairs.flatMap(({ one, was }) => [
    ...(was ? [row(`${one.title}, before`, was)] : []),
    row(`${one.title}, now`, one),
  ]);
  const cases = pairs.flatMap(({ one, was }) => [
    `## ${one.title}\n`,
    folded('The requests now', requests(one)),
    ...(was ? [folded('The requests before', requests(was))] : []),
  ]);
  return `# What is sent to the large model

This page is written by \`npm run eval -- prompts\`, which plays one conversation of six cases against a server that
speaks the provider's wire format; a test holds it against what is sent today. "Before" is the same conversation when
documents, earlier turns and state still stood in the system prompt, and when no tool read documents.

A request is read in this order: tools, system prompt, messages. The system prompt is instructions and nothing else. The
first message begins with the project's context; the recent turns are the messages that they were; the last one has the
documents, the earlier exchanges, the state, the routing decision and, at its end, the user's message. Cache marks stand
behind the core instructions, behind the context, behind the message and, while tools are called, behind their results:
four are the most that the provider takes.

Tokens are those of the o200k vocabulary; the cache is a model of the provider's (a marked prefix of at least the model's
minimum is kept, and another \`tool_choice\` gives up what is kept of the messages). "Billed" are input tokens at the price
of fresh ones: read from the cache they cost a tenth, written to it a quarter more.

| case | requests | tokens | read | written | billed | of documents | budget |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${table.join('\n')}

${cases.join('\n')}`;
}
