import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { MARK } from './mark.ts';

/**
 * What the page may load: its own files. Styles of elements are set by Swagger UI itself. It does not ask for https: the page is
 * served over plain HTTP, on other machines' addresses too, and would be blank.
 */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const STYLE = `
.swagger-ui .topbar { background: #1d2733; padding: 6px 0 }
.swagger-ui .topbar .download-url-wrapper { display: none }
.swagger-ui .topbar-wrapper img { height: 32px }
`;

/** Swagger UI over the contract at `/docs`, by files that the service has itself. */
export async function registerReference(app: FastifyInstance): Promise<void> {
  const mark = Buffer.from(MARK);
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      deepLinking: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      docExpansion: 'list',
      persistAuthorization: true,
    },
    logo: { type: 'image/svg+xml', content: mark, href: '/docs/guides/quick-start', target: '_self' },
    theme: {
      title: 'Forge',
      css: [{ filename: 'forge.css', content: STYLE }],
      favicon: [{ filename: 'mark.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: mark }],
    },
    staticCSP: CSP,
  });
}
