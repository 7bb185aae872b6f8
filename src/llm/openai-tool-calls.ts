import type { ToolCallPart } from './model.ts';

/** A piece of a tool call; the first has its name, later ones more of its arguments. */
export interface ToolCallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}

interface Call {
  index: number | null;
  id: string;
  name: string;
  json: string;
}

/**
 * Puts tool calls together from their pieces. A piece belongs to the call of its index; where a server gives none, or the same
 * one to all, an id that is new begins another call.
 */
export function createToolCalls() {
  const calls: Call[] = [];

  function callOf({ index = null, id }: ToolCallDelta): Call {
    const known = index === null ? calls.at(-1) : calls.findLast((call) => call.index === index);
    if (known && (!id || known.id === id || known.id === '')) return known;
    const call = { index, id: '', name: '', json: '' };
    calls.push(call);
    return call;
  }

  return {
    add(delta: ToolCallDelta): void {
      const call = callOf(delta);
      call.id ||= delta.id ?? '';
      call.name ||= delta.function?.name ?? '';
      call.json += delta.function?.arguments ?? '';
    },
    parts: (): ToolCallPart[] =>
      calls.map(({ id, name, json }, position) => ({
        type: 'tool_call',
        // the result has to name it
        id: id === '' ? `call_${position + 1}` : id,
        name,
        input: parsed(json),
      })),
  };
}

/** Input that is no JSON (cut off, or garbled) stays text: whoever runs the tool then tells the model so. */
function parsed(json: string): unknown {
  try {
    return json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return json;
  }
}
