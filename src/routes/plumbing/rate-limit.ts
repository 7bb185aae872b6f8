import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { RateLimitService, Standing } from '../../services/limits/rate-limits.ts';

const WINDOW_SECONDS = 60;

const policyOf = ({ class: name, perMinute }: Standing): string =>
  `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`;
const stateOf = ({ class: name, remaining, fullInSeconds }: Standing): string =>
  `"${name}";r=${remaining};t=${Math.ceil(fullInSeconds)}`;

function refusal({ class: name, perMinute, waitSeconds }: Standing): AppError {
  const what = name === 'expensive' ? 'operations of this kind' : 'requests';
  return new AppError('rate_limited', {
    detail: `Your key may send ${perMinute} ${what} a minute. Wait, and send this one again: nothing of it was done.`,
    // a whole second at least: what is rounded down would be refused again
    retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)),
    extra: { limit: name, per_minute: perMinute },
  });
}

/**
 * Counts each request of a key, and refuses those beyond its limits before anything of their bodies is read. Every answer
 * says how the key stands, as draft-ietf-httpapi-ratelimit-headers has it. Comes after the principal.
 */
export function registerRateLimits(
  app: FastifyInstance,
  { rateLimits }: { rateLimits: RateLimitService },
): void {
  app.addHook('onRequest', async (request, reply) => {
    // what is for everybody has nobody to count it for
    const principal = request.principal as FastifyRequest['principal'] | undefined;
    if (!principal) return;
    const standings = await rateLimits.count(principal, request.routeOptions.config.isExpensive === true);
    if (standings.length === 0) return;
    reply.headers({
      'ratelimit-policy': standings.map(policyOf).join(', '),
      ratelimit: standings.map(stateOf).join(', '),
    });
    const refused = standings.find(({ isAllowed }) => !isAllowed);
    if (refused) throw refusal(refused);
  });
}

/** How a key stands, for the contract. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': {
    description:
      'The limits of your key that this operation counts for, and no others: requests (`q`) in so many seconds (`w`). Absent without a limit. As draft-ietf-httpapi-ratelimit-headers has it.',
    schema: { type: 'string' },
    example: '"requests";q=3000;w=60, "expensive";q=300;w=60',
  },
  RateLimit: {
    description:
      'How you stand to them: requests that would be let through now (`r`), and seconds until as many as there may be would be (`t`).',
    schema: { type: 'string' },
    example: '"requests";r=2950;t=1, "expensive";r=120;t=36',
  },
};
