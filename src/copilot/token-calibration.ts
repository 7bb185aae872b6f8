/** Prompts of one model whose tokens are known twice: as counted here before sending, and as its provider reported. */
export interface Calibration {
  counted: number;
  reported: number;
  samples: number;
  /** The factor while there are no such prompts: what is published of the model's vocabulary, else 1. */
  start: number;
}

export const UNCALIBRATED: Calibration = { counted: 0, reported: 0, samples: 0, start: 1 };

// What an earlier prompt weighs against the next: the factor follows a change of vocabulary within some twenty prompts.
const MEMORY = 0.9;
// A vocabulary that differs by more than this is none: a reply of a cut-off or broken stream is not learned from.
const PLAUSIBLE = { least: 0.5, most: 2.5 };
// Before any prompt was reported: on the safe side of what other vocabularies need for the same text.
const UNKNOWN = 1.2;
// What single prompts vary around the learned factor.
const MARGIN = 1.05;

/** The calibration with one more prompt in it; as it was when the figures cannot be of one prompt. */
export function calibrated(
  calibration: Calibration,
  { counted, reported }: { counted: number; reported: number },
): Calibration {
  const ratio = reported / counted;
  if (!(ratio >= PLAUSIBLE.least && ratio <= PLAUSIBLE.most)) return calibration;
  return {
    ...calibration,
    counted: calibration.counted * MEMORY + counted,
    reported: calibration.reported * MEMORY + reported,
    samples: calibration.samples + 1,
  };
}

/** How many tokens the provider counts for one that is counted here. */
export function tokenFactor({ counted, reported, samples, start }: Calibration): number {
  return samples === 0 ? start : reported / counted;
}

/** By what a budget of our own is divided: never below 1, so that a prompt is never larger than it was meant to be. */
export const budgetFactor = (calibration: Calibration): number => Math.max(1, tokenFactor(calibration));

/** The same for a limit that a caller set, with a margin on top. */
export function limitFactor(calibration: Calibration): number {
  return budgetFactor(calibration) * (calibration.samples === 0 ? UNKNOWN : MARGIN);
}

/**
 * Keeps a calibration for each model, for as long as the process lives.
 *
 * @param startOf the factor that a model starts from
 */
export function createCalibrator(startOf: (model: string) => number = () => UNCALIBRATED.start) {
  const models = new Map<string, Calibration>();
  const of = (model: string): Calibration => models.get(model) ?? { ...UNCALIBRATED, start: startOf(model) };
  return {
    of,
    learn(model: string, pair: { counted: number; reported: number }): void {
      models.set(model, calibrated(of(model), pair));
    },
  };
}

export type Calibrator = ReturnType<typeof createCalibrator>;
