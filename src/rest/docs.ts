/** What {base}/api/v1 shows to everybody: the API document and a reference page over it, all from this process (behaviour §5.13). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { Config } from '../config.ts';
import { answerError } from '../http/answer.ts';
import { openapi } from './openapi.ts';
import type { Route } from './routes.ts';

interface Content {
  bytes: Buffer;
  zipped: Promise<Buffer>;
}

interface Page {
  type: string;
  headers: Record<string, string>;
  content(): Content;
}

const ui = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');
const vendor = (name: string) => readFileSync(new URL(name, `file://${ui}`));
const own = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.url));

// Swagger UI styles its elements through the DOM, which a strict policy allows; its icons are data: images.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers to paths below /api/v1: `has` and `answer`. Each is made once, when it is first asked for: most processes never are, and zipping
 *  megabytes is a sixth of what their start would cost. */
export function restDocs(routes: Route[], config: Config) {
  const base = `${config.basePath}/api/v1`;
  const page = document('text/html; charset=utf-8', () => Buffer.from(html(base)), { 'Content-Security-Policy': policy });
  const asset = (type: string, read: () => Buffer) => document(`${type}; charset=utf-8`, read, { 'Cache-Control': 'public, max-age=3600' });
  const pages = new Map<string, Page>([
    ['/openapi.json', document('application/json; charset=utf-8', () => Buffer.from(JSON.stringify(openapi(routes, config))), fresh)],
    ['/docs', page],
    ['/docs/', page],
    ['/docs/docs.js', asset('text/javascript', () => own('docs.js'))],
    ['/docs/docs.css', asset('text/css', () => own('docs.css'))],
    ['/docs/swagger-ui.css', asset('text/css', () => vendor('swagger-ui.css'))],
    ['/docs/swagger-ui-bundle.js', asset('text/javascript', () => vendor('swagger-ui-bundle.js'))],
  ]);
  return {
    has: (path: string) => pages.has(path),
    answer: (ctx: Context, path: string) => answer(ctx, pages.get(path)!),
  };
}

const fresh = { 'Cache-Control': 'no-cache' };

function document(type: string, read: () => Buffer, headers: Record<string, string>): Page {
  let made: Content | undefined;
  const make = (): Content => {
    const bytes = read();
    return { bytes, zipped: promisify(gzip)(bytes) };
  };
  return { type, content: () => (made ??= make()), headers: { ...fresh, ...headers, Vary: 'Accept-Encoding' } };
}

async function answer(ctx: Context, { type, content, headers }: Page) {
  ctx.state.operation = 'docs';
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    return answerError(ctx, 405, 'This address takes GET and HEAD only.');
  }
  ctx.set(headers);
  ctx.type = type;
  const { bytes, zipped } = content();
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') ctx.body = bytes;
  else {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = await zipped;
  }
}

const html = (base: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stint: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/swagger-ui.css">
<link rel="stylesheet" href="${base}/docs/docs.css">
<script src="${base}/docs/swagger-ui-bundle.js"></script>
<script src="${base}/docs/docs.js" data-document="${base}/openapi.json"></script>
</head>
<body>
<main id="reference"><noscript><p>This page needs script. The same document for programs: <a href="${base}/openapi.json">openapi.json</a></p></noscript></main>
</body>
</html>
`;
