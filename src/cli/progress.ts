import { bar, clip, type Output } from './output.ts';

const BAR = 24;

/** How far each of several files is. */
export interface Progress {
  /** @param share of the work on it that is done, 0 to 1 */
  update(name: string, stage: string, share: number): void;
  /** The file is done with; `text` says how it went. */
  finish(name: string, text: string): void;
  /** Nothing follows. */
  end(): void;
}

/** A bar on a terminal, one line for each file and stage elsewhere; on the error channel, since it is no result. */
export function createProgress(output: Output, total: number): Progress {
  const shares = new Map<string, number>();
  const stages = new Map<string, string>();
  let done = 0;

  function draw(name: string, stage: string): void {
    const share = (done + [...shares.values()].reduce((sum, value) => sum + value, 0)) / Math.max(1, total);
    const text = `${bar(share, BAR).padEnd(BAR, '·')} ${done}/${total} ${clip(name, 40)} ${stage}`;
    output.live?.(clip(text, output.width - 1));
  }

  return {
    update(name, stage, share) {
      shares.set(name, share);
      const isNew = stages.get(name) !== stage;
      stages.set(name, stage);
      if (output.live) draw(name, stage);
      else if (isNew && !output.isJson) output.note(`${name}: ${stage}`);
    },
    finish(name, text) {
      shares.delete(name);
      done += 1;
      output.live?.('');
      if (!output.isJson) output.line(`${name}: ${text}`);
    },
    end() {
      output.live?.('');
    },
  };
}
