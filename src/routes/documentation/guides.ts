import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import MarkdownIt from 'markdown-it';
import { packageRoot } from '../../package-root.ts';
import { MARK } from './mark.ts';

/** The guides in the order in which they are listed, by the name of their file. */
export const GUIDES = {
  'quick-start': 'Quick start',
  streaming: 'Streaming',
  errors: 'Errors',
  idempotency: 'Sending a request again',
  paging: 'Reading lists',
  limits: 'Limits',
  proxy: 'Behind a proxy',
} as const;
type Guide = keyof typeof GUIDES;

const PREFIX = '/docs/guides';
const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = `
:root { color-scheme: light dark; --text: #1d2733; --quiet: #55606c; --page: #fff; --block: #f4f1ea; --line: #d9d4c8; --link: #a3450b }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e6e1; --quiet: #a7b0ba; --page: #14191f; --block: #1f262e; --line: #333d47; --link: #ff9d5c }
}
* { box-sizing: border-box }
body { margin: 0; color: var(--text); background: var(--page); font: 1rem/1.6 system-ui, sans-serif }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; border-bottom: 1px solid var(--line) }
header img { width: 2rem; display: block }
a { color: var(--link) }
a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 .5em }
h1 { margin-top: .5em }
code { font: .875em ui-monospace, monospace }
pre { background: var(--block); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; line-height: 1.45 }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
th { color: var(--quiet); font-weight: 600 }
`;

const markdown = new MarkdownIt({ html: false });

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A guide's Markdown as a page; links between guides lead to their pages, and headings can be linked. */
function pageOf(guide: Guide, text: string): string {
  const body = markdown
    .render(text)
    .replaceAll(/href="([a-z-]+)\.md(#[^"]*)?"/g, `href="${PREFIX}/$1$2"`)
    .replaceAll(
      /<h([23])>([^<]*)<\/h\1>/g,
      (_, level, heading) => `<h${level} id="${slug(heading)}">${heading}</h${level}>`,
    );
  const links = Object.entries(GUIDES).map(
    ([name, title]) =>
      `<a href="${PREFIX}/${name}"${name === guide ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${GUIDES[guide]} - Forge</title>
<link rel="icon" type="image/svg+xml" href="${PREFIX}/mark.svg">
<link rel="stylesheet" href="${PREFIX}/style.css">
</head>
<body>
<header><a href="/docs/"><img src="${PREFIX}/mark.svg" alt="Forge, the reference"></a>${links.join('')}</header>
<main>
${body}</main>
</body>
</html>
`;
}

const send = (reply: FastifyReply, type: string, text: string) =>
  reply
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
    })
    .send(text);

/** The guides of `docs/guides/` as pages beside the reference, read when they are asked for. */
export function registerGuides(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } };
  app.get(`${PREFIX}/style.css`, hidden, async (_, reply) => send(reply, 'text/css', STYLE));
  app.get(`${PREFIX}/mark.svg`, hidden, async (_, reply) => send(reply, 'image/svg+xml', MARK));
  for (const guide of Object.keys(GUIDES) as Guide[]) {
    app.get(`${PREFIX}/${guide}`, hidden, async (_, reply) => {
      const text = await readFile(join(packageRoot, 'docs', 'guides', `${guide}.md`), 'utf8');
      return send(reply, 'text/html', pageOf(guide, text));
    });
  }
}
