import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallerRules, checkCaller } from './callers.ts';

/** Probes ask under the address of a pod, or under whatever name. */
const PROBES = ['/healthz', '/readyz'];
/** How long a browser need not ask again; Chromium keeps it two hours at most. */
const PREFLIGHT_SECONDS = 7_200;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers of answers that a page may read besides the few that it always may. */
const EXPOSED = [
  'ETag',
  'Location',
  'Link',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Upload-Result',
  'Mcp-Session-Id',
].join(', ');

const pathOf = (url: string): string => url.split('?')[0] ?? url;

/** Adds a name to what an answer depends on. */
function addVary(reply: FastifyReply, name: string): void {
  const held = String(reply.getHeader('vary') ?? '');
  reply.header('vary', held === '' ? name : `${held}, ${name}`);
}

/** Allows a page of another origin to read the answer. Credentials stay off: the service knows no cookies. */
function allowPage(reply: FastifyReply, origin: string): void {
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
}

/** Answers the question of a browser whether its page may send a request. */
function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers'];
  return reply
    .status(204)
    .headers({
      'access-control-allow-methods': METHODS,
      // who may call may send whatever headers; keys are among them
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
}

/**
 * Looks who calls before anything else is looked at, refuses hosts and origins that are not allowed, and lets pages of
 * origins that are allowed read their answers.
 */
export function registerCallers(app: FastifyInstance, rules: CallerRules): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, method, headers } = request;
    const { foreignOrigin } = checkCaller(raw, rules, PROBES.includes(pathOf(request.url)));
    if (foreignOrigin === null) return;
    allowPage(reply, foreignOrigin);
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight) return answerPreflight(request, reply);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    addVary(reply, 'Origin');
    if (request.method === 'OPTIONS') addVary(reply, 'Access-Control-Request-Headers');
    return payload;
  });
}
