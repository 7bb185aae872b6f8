/** A straight line through measurements, with the bounds that its slope is within at 95 % confidence. */
export interface Trend {
  /** Per unit of x. */
  slope: number;
  low: number;
  high: number;
}

/** Student's t at 97.5 %, by degrees of freedom: NIST handbook, 1.3.6.7.2. */
const T_VALUES: readonly (readonly [number, number])[] = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [8, 2.306],
  [10, 2.228],
  [15, 2.131],
  [20, 2.086],
  [30, 2.042],
  [60, 2.0],
];

/** The value for as many degrees of freedom or the next smaller number in the table, which is the more careful one. */
const tValue = (freedom: number): number =>
  T_VALUES.findLast(([degrees]) => degrees <= freedom)?.[1] ?? Number.POSITIVE_INFINITY;

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Least squares. Memory that is high now is high in half a minute too, so neighbouring measurements tell less than as many
 * independent ones: their number is reduced by how much each resembles the one before it (autocorrelation of lag 1).
 *
 * @throws RangeError for fewer than three points, or when all are at one x
 */
export function trendOf(points: readonly { x: number; y: number }[]): Trend {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (points.length < 3 || spread === 0) throw new RangeError('a trend needs three points at least');
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residuals = points.map(({ x, y }) => y - meanY - slope * (x - meanX));
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0);
  const products = residuals.slice(1).reduce((sum, residual, i) => sum + residual * (residuals[i] ?? 0), 0);
  const likeness = squares === 0 ? 0 : Math.min(0.95, Math.max(0, products / squares));
  const freedom = Math.max(1, (points.length * (1 - likeness)) / (1 + likeness) - 2);
  const margin = tValue(freedom) * Math.sqrt(squares / freedom / spread);
  return { slope, low: slope - margin, high: slope + margin };
}
