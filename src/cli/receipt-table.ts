import type { Schema } from '../../clients/typescript/src/index.ts';
import type { CommandContext } from './context.ts';
import { bar, table } from './output.ts';

const BAR = 30;

/** Shows what was sent for a turn: each section, its tokens and its share of the budget, and what was left out. */
export async function showReceipt(
  { api, out }: Pick<CommandContext, 'api' | 'out'>,
  project: string,
  turnNumber: number,
): Promise<void> {
  const receipt = await api.call('get', '/projects/{project_id}/turns/{n}/context', {
    path: { project_id: project, n: turnNumber },
  });
  if (out.isJson) return out.json(receipt);
  const { sections, dropped, tokens, budget, retrieval, usage } = receipt;
  out.line(`Turn ${turnNumber}: ${tokens} of ${budget} tokens\n`);
  const largest = Math.max(1, ...sections.map((section) => section.tokens));
  const rows = sections.map((section) => [
    section.name,
    section.tokens,
    section.items.length,
    bar(section.tokens / largest, BAR),
  ]);
  out.line(table([['section', 'tokens', 'items', ''], ...rows], out.width));
  const items = sections.flatMap(({ name, items: of }) =>
    of.map((item) => [name, item.tokens, itemName(item), item.narrowed ? 'shortened' : '']),
  );
  if (items.length > 0) out.line(`\n${table([['in', 'tokens', 'item', ''], ...items], out.width)}`);
  if (dropped.length > 0) {
    const rest = dropped.map(({ section, tokens: count, id, reason }) => [section, count, id, reason]);
    out.line(`\n${table([['left out of', 'tokens', 'item', 'why'], ...rest], out.width)}`);
  }
  out.line(
    `\nsearched: ${retrieval.considered} sections, ${retrieval.below_floor} of the best below the floor`,
  );
  if (usage) out.line(`counted by the provider: ${usage.input_tokens} in, ${usage.output_tokens} out`);
}

function itemName(item: Schema<'TurnContext'>['sections'][number]['items'][number]): string {
  const { filename, header_path: path, turn_number: turn } = item;
  if (typeof filename === 'string') return [filename, ...(Array.isArray(path) ? path : [])].join(' > ');
  return typeof turn === 'number' ? `turn ${turn}` : item.id;
}
