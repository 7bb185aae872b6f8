import type { FileStage } from '../../contract/file.ts';
import { inThisSpan, type RunningSpan, startSpan } from '../../telemetry/tracing/span.ts';

/** Told how long a stage took that has come to its end. */
export type OnStage = (stage: FileStage, seconds: number) => void;

/** Times the stages of an attempt, one after the other, each in a span; one that is broken off is not told. */
export function createStageClock(tell: OnStage = () => undefined) {
  let current: { stage: FileStage; from: number; span: RunningSpan } | undefined;
  // a converter says that the next stage has begun
  const start = inThisSpan((stage: FileStage) => startSpan(`ingest ${stage}`));

  const end = (): void => {
    if (current) tell(current.stage, (performance.now() - current.from) / 1_000);
    current?.span.end();
    current = undefined;
  };
  return {
    /** Ends the stage before. */
    enter(stage: FileStage): void {
      end();
      current = { stage, from: performance.now(), span: start(stage) };
    },
    /** Does something as a part of the stage. */
    run: <T>(work: () => T): T => (current ? current.span.run(work) : work()),
    end,
    breakOff(error: unknown): void {
      current?.span.fail(error);
      current?.span.end();
      current = undefined;
    },
  };
}

export type StageClock = ReturnType<typeof createStageClock>;
