import { createRandom, type Random } from '../helpers/random.ts';

/** Chosen by `--seed`, or at random; said at the start, so that a run can be made again. */
const SEED = Number(process.env.FAULT_SEED ?? 1);
/** Suites stop making rounds when their share of this is over, but make one at least. */
const MINUTES = Number(process.env.FAULT_MINUTES ?? 15);
/** Loops over rounds in all suites: four on both databases, and four troubles of a server; what has no rounds gets a share too. */
const SHARES = 14;

/** The numbers of the rounds to make: 1 to `usual`, or as many as `--runs` says. */
export function* rounds(usual: number): Generator<number> {
  const until = Date.now() + (MINUTES * 60_000) / SHARES;
  const most = Number(process.env.FAULT_ROUNDS ?? usual);
  for (let number = 1; number <= most && (number === 1 || Date.now() < until); number += 1) yield number;
}

/** Chance in a round: it depends on nothing but the seed, the name and the number. */
export function chanceOf(name: string, number: number): Random {
  const salt = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return createRandom(Math.imul(SEED, 0x9e3779b1) + Math.imul(salt, 1_009) + number);
}
