import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { sendProblem } from '../plumbing/problems.ts';

const LITERAL = /[.*+?^${}()|[\]\\]/g;

/** A pattern of the router (`/projects/:id/files`, `/turns::import`, `/static/*`) as an expression for whole paths. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .split(/(::|:\w+|\*)/)
    .map((part) => {
      if (part === '::') return ':';
      if (part === '*') return '.*';
      return part.startsWith(':') ? '[^/]+' : part.replace(LITERAL, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}/?$`);
}

/**
 * Keeps account of the methods that are registered after this.
 *
 * @returns the methods that a path has, with `OPTIONS`; none: there is nothing at the path
 */
function watchMethods(app: FastifyInstance): (path: string) => string[] {
  const routes = new Map<string, { expression: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { expression: expressionOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return (path) => {
    const found = [...routes.values()].filter(({ expression }) => expression.test(path));
    if (found.length === 0) return [];
    return [...new Set([...found.flatMap(({ methods }) => [...methods]), 'OPTIONS'])].sort();
  };
}

/**
 * Answers what no operation answers: OPTIONS, methods that a path has not, and paths that there are not. That is found out
 * before the body is looked at, so that no body, whatever it is, brings another answer.
 */
export function answerUnknown(app: FastifyInstance): void {
  const methodsOf = watchMethods(app);

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { method, url } = request;
    const path = url.split('?')[0] ?? url;
    const methods = methodsOf(path);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    if (methods.length > 0 && method === 'OPTIONS') return reply.status(204).send();
    const error =
      methods.length > 0
        ? new AppError('method_not_allowed', {
            detail: `${path} has ${methods.join(', ')}, and no ${method}.`,
          })
        : new AppError('route_not_found', {
            detail: `${method} ${path} is not an operation of this service. GET /docs lists them all.`,
          });
    return sendProblem(error, request, reply);
  }

  app.addHook('preParsing', (request, reply, _payload, next) => {
    if (request.is404) answer(request, reply);
    else next();
  });
  // files of the documentation that there are not
  app.setNotFoundHandler(answer);
}
