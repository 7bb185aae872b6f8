const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{16})(?![0-9a-f])/g;
/** Milliseconds since 1970, of these decades. */
const EPOCH = /\b1[789]\d{11}\b/g;
/** A number of a process, as Prometheus reads it. */
const MEASURED = /^([a-zA-Z0-9_:]+(?:\{[^}]*\})?) [\d.e+-]+$/gm;
/** Members that hold how long something took. */
const DURATION = /(^|_)ms$/;
const LONGEST_TEXT = 240;
const MOST_ENTRIES = 2;

const NOW = '2026-11-02T09:30:00.000Z';
const NEXT_MONTH = '2026-12-01T00:00:00.000Z';
const EPOCH_NOW = Date.parse(NOW);
const MILLISECONDS = 12.5;

/** What stands for members that are others with each session, whatever they hold. */
const FIXED: Readonly<Record<string, unknown>> = {
  resets_at: NEXT_MONTH,
  node: 'v20.19.0',
  key: 'forge_example_not_a_key',
  secret: 'whsec_ZXhhbXBsZSwgbm90IGEgc2VjcmV0',
  first_id: 'eyJuIjoxfQ',
  last_id: 'eyJuIjoyfQ',
  retry_at: NOW,
};

type Json = Record<string, unknown>;

const QUEUED: Readonly<Record<string, unknown>> = {
  status: 'queued',
  stage: null,
  attempt: 0,
  chunk_count: 0,
  chunks_done: 0,
  chunks_total: 0,
  parent_count: 0,
  token_estimate: 0,
  fidelity: null,
};
const isUnfinished = ({ object, status }: Json): boolean =>
  object === 'file' && (status === 'queued' || status === 'in_progress');

/**
 * Puts stand-ins for what is another with each session (times, ids, durations, cursors), and shortens long texts and lists, so
 * that the same session gives the same examples. An id has the same stand-in wherever it comes up.
 */
export function createStandIns() {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const count = String(ids.size + 1);
    const known =
      ids.get(id) ??
      (id.includes('-')
        ? `00000000-0000-4000-8000-${count.padStart(12, '0')}`
        : count.padStart(id.length, '0'));
    ids.set(id, known);
    return known;
  };

  function ofText(text: string): string {
    const plain = text
      // first: a long number could be taken for an id
      .replace(MEASURED, '$1 1')
      .replace(TIME, NOW)
      .replace(ID, idOf)
      .replace(EPOCH, String(EPOCH_NOW));
    return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT)}…` : plain;
  }

  function ofMember(name: string, value: unknown, owner: Json): unknown {
    const isLikelySecret = name === 'key' && owner.object !== 'api_key';
    if (name in FIXED && typeof value === 'string' && !isLikelySecret) return FIXED[name];
    // of a database, whichever the session is played on
    if (name === 'kind' && value === 'server') return 'embedded';
    // of a file that is worked on: how far it has come by then is chance
    if (isUnfinished(owner) && name in QUEUED) return QUEUED[name];
    if (name === 'finished_ms' || (DURATION.test(name) && typeof value === 'number')) return MILLISECONDS;
    // how long it is to wait, to the part of a second
    if (name === 'retry_after_s' && typeof value === 'number') return Math.ceil(value);
    if (name === 'timings_ms' && typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.keys(value).map((step) => [step, MILLISECONDS]));
    }
    return standIn(value);
  }

  function standIn(value: unknown): unknown {
    if (typeof value === 'string') return ofText(value);
    if (typeof value === 'number') return value > 1.7e12 ? EPOCH_NOW : Number(value.toFixed(4));
    if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(standIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, ofMember(name, member, value as Json)]),
    );
  }
  return standIn;
}
