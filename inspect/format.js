/** Figures as they are shown. */

const whole = new Intl.NumberFormat('en');
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** @param {number} value */
export const count = (value) => whole.format(value);

/** @param {number} value */
export const tokens = (value) => `${whole.format(value)} ${value === 1 ? 'token' : 'tokens'}`;

/**
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export const plural = (value, one, many = `${one}s`) => `${whole.format(value)} ${value === 1 ? one : many}`;

/** @param {number} share 0 to 1 */
export function percent(share) {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.1) return '< 0.1 %';
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

/** @param {number} value */
export function milliseconds(value) {
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1_000) return `${Math.round(value)} ms`;
  return `${(value / 1_000).toFixed(value < 10_000 ? 2 : 1)} s`;
}

/**
 * US dollars.
 *
 * @param {number | null} value null: a price is not known
 */
export function dollars(value) {
  if (value === null) return 'price not known';
  if (value === 0) return '$0';
  return value < 0.01 ? `$${twoDigits.format(value)}` : `$${value.toFixed(value < 1 ? 3 : 2)}`;
}

/** @param {number} value 0 to 1 */
export const score = (value) => value.toFixed(2);

/** @param {number} value */
export function bytes(value) {
  if (value < 1_000) return `${value} B`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** @param {string} time RFC 3339 */
export const moment = (time) =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
