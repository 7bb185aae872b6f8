import { integer, withDefault } from './schemas.ts';

/** The settings of what a key may ask for; 0: as much as it likes. */
export const limitSettings = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: withDefault(integer(0, 1_000_000), 3_000),
  RATE_LIMIT_EXPENSIVE_PER_MINUTE: withDefault(integer(0, 1_000_000), 300),
};
