import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { packageRoot } from '../package-root.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';

const FOLDER = join(packageRoot, 'inspect');
const INDEX = 'index.html';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The pages show what strangers have written: nothing runs or is loaded but these files, and nothing is asked but this service. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // asked again each time, so that the files are all of one release; an unchanged one is 304
  'cache-control': 'no-cache',
};

function serveFile(app: App, path: string, mediaType: string, content: Buffer): void {
  const etag = etagOf(createHash('sha256').update(content).digest('hex').slice(0, 32));
  app.get(path, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({ ...HEADERS, etag });
    if (isUnchanged(request, etag)) return reply.status(304).send();
    return reply.type(mediaType).send(content);
  });
}

/** The inspector at `/inspect`: a few files, which hold no data and are for anybody; what they show they ask for over the API. */
export const inspectRoutes: FastifyPluginAsync = async (app) => {
  for (const name of await readdir(FOLDER)) {
    const mediaType = MEDIA_TYPES[extname(name)];
    if (mediaType === undefined) continue;
    const path = name === INDEX ? '/inspect' : `/inspect/${name}`;
    serveFile(app, path, mediaType, await readFile(join(FOLDER, name)));
  }
};
