import type { FileStage } from '../../contract/file.ts';

/** Told how long a stage took that has come to its end. */
export type OnStage = (stage: FileStage, seconds: number) => void;

/** Times the stages of an attempt, one after the other; one that is broken off is not told. */
export function createStageClock(tell: OnStage = () => undefined) {
  let current: { stage: FileStage; from: number } | undefined;

  const end = (): void => {
    if (current) tell(current.stage, (performance.now() - current.from) / 1_000);
    current = undefined;
  };
  return {
    /** Ends the stage before. */
    enter(stage: FileStage): void {
      end();
      current = { stage, from: performance.now() };
    },
    end,
  };
}
