import type { AnswerFacts, GenerateRequest, ToolCallPart } from '../model.ts';
import { inline } from './clip.ts';
import { type Statement, statementsOf } from './statements.ts';

type Field = Extract<Statement, { kind: 'field' }>;

/** What a rule knows of an assumption that somebody states: no more than that it was said. */
const UNTESTED = { confidence: 'guessed', impact: 'medium' } as const;

/** The calls of state tools that record what a message states plainly and the project does not hold yet. */
export function recordingCalls(facts: AnswerFacts, tools: GenerateRequest['tools'] = []): ToolCallPart[] {
  if (facts.priming) return [];
  const values = new Map(facts.skeleton.map(({ field, value }) => [field as string, value]));
  const known = new Set(facts.assumptions.map(folded));
  const inputs: Pick<ToolCallPart, 'name' | 'input'>[] = [];
  for (const statement of statementsOf(facts.message)) {
    if (statement.kind === 'assumption') {
      if (known.has(folded(statement.statement))) continue;
      known.add(folded(statement.statement));
      inputs.push({ name: 'register_assumption', input: { statement: statement.statement, ...UNTESTED } });
    } else {
      const before = values.get(statement.field) ?? '';
      const value = joined(before, statement);
      if (folded(value) === folded(before)) continue;
      values.set(statement.field, value);
      inputs.push({ name: 'update_skeleton', input: { field: statement.field, value } });
    }
  }
  const offered = new Set(tools.map(({ name }) => name));
  return inputs
    .filter(({ name }) => offered.has(name))
    .map((call, index) => ({ type: 'tool_call', id: `offline-${index + 1}`, ...call }));
}

/** The whole new value of a field: what it has, with what was said in its place or below it. */
function joined(before: string, { value, joins }: Field): string {
  if (joins === 'replaces' || joins === undefined) return value;
  const lines = before === '' ? [] : before.split('\n');
  if (joins === 'joins')
    return lines.some((line) => folded(line) === folded(value)) ? before : [...lines, value].join('\n');
  const own = `${joins.named}: ${value}`;
  const at = lines.findIndex((line) => line.startsWith(`${joins.named}: `));
  return (at === -1 ? [...lines, own] : lines.with(at, own)).join('\n');
}

const folded = (text: string): string =>
  inline(text)
    .toLowerCase()
    .replace(/[.!]+$/, '');
