/** Where the parts of the pictures lie, as numbers: nothing here knows of a page. */

/** @typedef {{ name: string, tokens: number, start: number, share: number }} Segment `start` and `share` of the whole width, 0 to 1 */

/**
 * Parts side by side on one scale.
 *
 * @param {readonly { name: string, tokens: number }[]} parts
 * @param {number} whole tokens of the whole width
 * @returns {Segment[]} without those that take no place
 */
export function stack(parts, whole) {
  let before = 0;
  return parts
    .filter(({ tokens }) => tokens > 0)
    .map(({ name, tokens }) => {
      const start = whole > 0 ? before / whole : 0;
      before += tokens;
      return { name, tokens, start, share: whole > 0 ? tokens / whole : 0 };
    });
}

/**
 * A receipt on one scale: what was sent, what is free of the budget, and below it what was left out, from the left too.
 *
 * @param {{ budget: number, sections: readonly { name: string, tokens: number }[], dropped: readonly { section: string, tokens: number }[] }} receipt
 * @returns {{ scale: number, sent: Segment[], free: number, budgetAt: number, dropped: Segment[] }} `scale` in tokens: the
 *   longest of the three; `budgetAt`: where the budget ends, 0 to 1
 */
export function budgetBar({ budget, sections, dropped }) {
  const sum = (/** @type {readonly { tokens: number }[]} */ all) => all.reduce((n, one) => n + one.tokens, 0);
  const sent = sum(sections);
  const left = dropped.map(({ section, tokens }) => ({ name: section, tokens }));
  const scale = Math.max(budget, sent, sum(left), 1);
  return {
    scale,
    sent: stack(sections, scale),
    free: Math.max(0, budget - sent),
    budgetAt: budget / scale,
    dropped: stack(left, scale),
  };
}

/**
 * @typedef {{ name: string, start: number, ms: number }} Phase `start` in milliseconds since the turn began
 * @typedef {{ route?: number | undefined, embed?: number | undefined, retrieve?: number | undefined, rerank?: number | undefined, assemble?: number | undefined, answer?: number | undefined, first_token?: number | undefined, total?: number | undefined }} Timings
 * @typedef {{ started_ms: number, route_finished_ms: number, used: boolean } | null} Speculation
 */

/**
 * The steps of a turn in time. Durations are known, and when the message was embedded beside the routing. A search that was
 * begun then and could be used went on from there, any other waited for the router; the rest follow each other.
 *
 * @param {Timings} timings
 * @param {Speculation} speculation
 * @returns {{ phases: Phase[], total: number, firstToken: number | null }} milliseconds
 */
export function waterfall(timings, speculation) {
  /** @type {Phase[]} */
  const phases = [];
  let at = 0;
  /** @param {string} name @param {number | undefined} ms @param {number} start */
  const add = (name, ms, start) => {
    if (ms === undefined) return;
    phases.push({ name, start, ms });
    at = Math.max(at, start + ms);
  };
  const routed = speculation?.route_finished_ms ?? timings.route;
  if (timings.route !== undefined) add('route', timings.route, Math.max(0, (routed ?? 0) - timings.route));
  const routeEnd = at;
  const embedAt = speculation?.started_ms ?? at;
  const embedEnd = embedAt + (timings.embed ?? 0);
  add('embed', timings.embed, embedAt);
  add('retrieve', timings.retrieve, speculation?.used ? embedEnd : Math.max(routeEnd, embedEnd));
  add('rerank', timings.rerank, at);
  add('assemble', timings.assemble, at);
  add('answer', timings.answer, at);
  return { phases, total: Math.max(timings.total ?? 0, at, 0.1), firstToken: timings.first_token ?? null };
}

/**
 * The turns of a conversation as columns on one scale.
 *
 * @param {readonly { turn_number: number, context: { tokens: number, budget: number, sections: readonly { name: string, tokens: number }[] } | null }[]} turns
 * @returns {{ scale: number, columns: { turn: number, tokens: number, segments: Segment[] }[] }} `scale` in tokens: the largest
 *   budget or prompt
 */
export function strip(turns) {
  const scale = Math.max(
    1,
    ...turns.flatMap(({ context }) => (context ? [context.tokens, context.budget] : [])),
  );
  return {
    scale,
    columns: turns.map(({ turn_number: turn, context }) => ({
      turn,
      tokens: context?.tokens ?? 0,
      segments: stack(context?.sections ?? [], scale),
    })),
  };
}
