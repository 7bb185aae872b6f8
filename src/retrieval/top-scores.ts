/**
 * The highest of very many scores, all above 0, each with two numbers that say whose it is: a binary heap with the lowest of them on top,
 * in columns. Most scores are looked at once and dropped: whoever has very many compares them with `least` first.
 */
export class TopScores {
  /** A score that is not higher is not kept. */
  least = 0;
  size = 0;
  private readonly most: number;
  private readonly scores: Float64Array;
  private readonly firsts: Int32Array;
  private readonly seconds: Int32Array;

  /** @param most scores that are kept */
  constructor(most: number) {
    this.most = most;
    this.scores = new Float64Array(most);
    this.firsts = new Int32Array(most);
    this.seconds = new Int32Array(most);
  }

  add(score: number, first: number, second: number): void {
    if (score <= this.least) return;
    if (this.size < this.most) this.rise(score, first, second);
    else this.sink(score, first, second);
    if (this.size === this.most) this.least = this.scores[0] ?? 0;
  }

  /** The numbers of those kept, in no particular order. */
  places(): [number, number][] {
    return Array.from({ length: this.size }, (_, at) => [this.firsts[at] ?? 0, this.seconds[at] ?? 0]);
  }

  /** The second numbers of those kept whose first one is this, in no particular order, each once. */
  secondsOf(first: number): Set<number> {
    const seconds = new Set<number>();
    for (let at = 0; at < this.size; at++) {
      if (this.firsts[at] === first) seconds.add(this.seconds[at] ?? 0);
    }
    return seconds;
  }

  private put(at: number, score: number, first: number, second: number): void {
    this.scores[at] = score;
    this.firsts[at] = first;
    this.seconds[at] = second;
  }

  private move(from: number, to: number): void {
    this.put(to, this.scores[from] ?? 0, this.firsts[from] ?? 0, this.seconds[from] ?? 0);
  }

  private rise(score: number, first: number, second: number): void {
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.scores[parent] ?? 0) <= score) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, score, first, second);
  }

  private sink(score: number, first: number, second: number): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.size) break;
      const right = left + 1;
      const isRight = right < this.size && (this.scores[right] ?? 0) < (this.scores[left] ?? 0);
      const lower = isRight ? right : left;
      if ((this.scores[lower] ?? 0) >= score) break;
      this.move(lower, at);
      at = lower;
    }
    this.put(at, score, first, second);
  }
}
