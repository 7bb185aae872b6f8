import type { Routing } from '../contract/routing.ts';
import type { Mode } from '../contract/state.ts';
import type { RetrievalOption } from '../contract/turn-options.ts';
import type { Knowledge } from '../knowledge/entry.ts';
import { type LanguageModel, ModelError, type OnUsage, type TokenUsage } from '../llm/model.ts';
import { outputRoom } from '../llm/models.ts';
import { scopedSignal } from '../scoped-signal.ts';
import { type RouteInput, routeFacts, routePrompt } from './route-prompt.ts';
import { type RouteReply, routeOutputSchema, routeReplySchema } from './route-schema.ts';

export interface RouteResult {
  decision: Routing;
  /** Null when the model gave no reply. */
  usage: TokenUsage | null;
  model: string;
}

/** What a route is allowed to write, thoughts apart. */
const ROUTE_TOKENS = 500;
const MAX_REASON = 500;
const MAX_NOTED_NAME = 80;

/** The most output tokens of a route, in the model's own. */
export const routeOutput = (modelId: string): number => outputRoom(modelId, ROUTE_TOKENS);

/**
 * Phase A: what this message calls for. It never fails: without a usable reply the previous probe stays, retrieval is
 * done, and the decision says so. Only an abort of the turn itself (`signal`) is thrown on.
 *
 * @param options.retrieval the caller's word on retrieval, above the model's
 * @param options.timeoutMs how long the model may take
 * @param options.onLost told of tries that broke off
 */
export async function routeMessage(
  model: LanguageModel,
  input: RouteInput,
  options: { retrieval: RetrievalOption; timeoutMs: number; signal: AbortSignal; onLost?: OnUsage },
): Promise<RouteResult> {
  const { system, messages } = routePrompt(input);
  const scoped = scopedSignal([options.signal], { timeoutMs: options.timeoutMs });
  try {
    const generation = await model.generate({
      system,
      messages,
      facts: routeFacts(input),
      outputSchema: routeOutputSchema(input.knowledge),
      maxOutputTokens: routeOutput(model.id),
      signal: scoped.signal,
      ...(options.onLost && { onLost: options.onLost }),
    });
    const reply = readReply(generation.text);
    const decision =
      typeof reply === 'string'
        ? keepPrevious(input, reply)
        : decide(reply, input, model.provider === 'offline' ? 'offline' : 'model');
    return {
      decision: overridden(decision, options.retrieval),
      usage: generation.usage,
      model: generation.model,
    };
  } catch (error) {
    options.signal.throwIfAborted();
    const late = scoped.timedOut || (error instanceof ModelError && error.reason === 'timeout');
    const why = late ? 'the router did not answer in time' : 'the router failed';
    return {
      decision: overridden(keepPrevious(input, why), options.retrieval),
      usage: null,
      model: model.id,
    };
  } finally {
    scoped.close();
  }
}

/** The reply, or what is wrong with it. */
function readReply(text: string): RouteReply | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the router did not reply with JSON';
  }
  const parsed = routeReplySchema.safeParse(value);
  return parsed.success ? parsed.data : 'the reply of the router does not have the agreed shape';
}

function decide(reply: RouteReply, input: RouteInput, source: 'model' | 'offline'): Routing {
  const { knowledge, state } = input;
  const notes: string[] = [];
  const mode = reply.active_mode;
  const patterns = [...new Set(reply.triggered_patterns)].filter((key) =>
    has(knowledge.patterns[mode], key, 'pattern', notes),
  );
  const names = new Set(state.file_summaries.map((file) => file.filename));
  const files = [...new Set(reply.relevant_files)].filter((name) => {
    if (!names.has(name)) notes.push(`there is no file ${quoted(name)}: left out`);
    return names.has(name);
  });
  let probe = reply.next_probe;
  if (probe !== null && !has(knowledge.probes[mode], probe, 'probe', notes)) {
    probe = previousProbe(input, mode) ?? firstOpenProbe(input, mode);
  }
  return {
    next_probe: probe,
    triggered_patterns: patterns,
    active_mode: mode,
    action: reply.action === 'switch_mode' && mode === state.routing.active_mode ? 'probe' : reply.action,
    requires_retrieval: reply.requires_retrieval,
    relevant_files: files,
    reason: reply.reason.slice(0, MAX_REASON),
    source,
    notes: notes.slice(0, 20),
  };
}

function keepPrevious(input: RouteInput, why: string): Routing {
  const mode = input.state.routing.active_mode;
  return {
    next_probe: previousProbe(input, mode),
    triggered_patterns: [],
    active_mode: mode,
    action: 'answer',
    requires_retrieval: true,
    relevant_files: [],
    reason: `${why}: the previous probe is kept and documents are looked up`,
    source: 'fallback',
    notes: [],
  };
}

function overridden(decision: Routing, retrieval: RetrievalOption): Routing {
  if (retrieval === 'auto') return decision;
  return {
    ...decision,
    requires_retrieval: retrieval === 'always',
    // that the router failed is more to know than that the caller had a word on retrieval
    source: decision.source === 'fallback' ? 'fallback' : 'override',
    notes: [...decision.notes, `retrieval: ${retrieval}, as the caller asked (${decision.source} routed)`],
  };
}

/** The probe of the last turn, where the mode has it. */
function previousProbe({ state, knowledge }: RouteInput, mode: Mode): string | null {
  const key = state.routing.active_probe;
  return knowledge.probes[mode].some((probe) => probe.key === key) ? key : null;
}

function firstOpenProbe({ state, knowledge }: RouteInput, mode: Mode): string | null {
  const probes = knowledge.probes[mode];
  const open = probes.find((probe) => !state.routing.probes_completed.includes(probe.key));
  return (open ?? probes[0])?.key ?? null;
}

function has(
  entries: Knowledge['probes'][Mode] | Knowledge['patterns'][Mode],
  key: string,
  noun: string,
  notes: string[],
): boolean {
  if (entries.some((entry) => entry.key === key)) return true;
  notes.push(
    noun === 'probe'
      ? `there is no probe ${quoted(key)} in this mode: the previous one is kept`
      : `there is no ${noun} ${quoted(key)} in this mode: left out`,
  );
  return false;
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, MAX_NOTED_NAME));
