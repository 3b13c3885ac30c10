/** Style, scripts, icons and font: size of a page, and caching. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { Context } from 'koa';
import Koa from 'koa';
import { assetAt, assetPath, assetsOf, sheetNames, styleFiles } from '../../src/pages/frame/assets.ts';
import { iconNames } from '../../src/pages/frame/components/icons.ts';
import { leanCss } from '../../src/pages/frame/lean.ts';
import { compressed, serveAsset } from '../../src/pages/frame/serveAsset.ts';
import { bundleScripts, pageBundles } from '../../src/pages/static/bundle.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const packed = (all: readonly { bytes: Buffer }[]) => all.reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);

test('each page has at most 29 KB of style and 66 KB of script, lists and My day 60 KB of both, compressed', (t) => {
  const together = [
    ['editor', 'itemTexts', 'measure'],
    ['editor', 'conflict'],
    ['editor', 'notes'],
    ['measure', 'goals'],
  ] as const;
  for (const sheets of [...sheetNames.map((name) => [name]), ...together]) {
    const { styles } = assetsOf([], sheets);
    t.true(packed(styles) <= 29 * 1024, `${sheets}: ${packed(styles)} bytes of style`);
  }
  const { styles, scripts } = assetsOf(['touch'], ['inbox']);
  const first = [...styles, ...scripts].reduce((sum, { bytes }) => sum + brotliCompressSync(bytes).length, 0);
  t.true(first <= 60 * 1024, `the first page: ${first} bytes`);
  for (const bundle of [[], ...pageBundles.map((name) => [name])]) {
    const { scripts } = assetsOf(bundle);
    t.true(packed(scripts) <= 66 * 1024, `${bundle}: ${packed(scripts)} bytes of script`);
  }
});

test('each style file is listed exactly once, and each script file is in a bundle', async (t) => {
  const filesIn = (folder: string, ending: RegExp) =>
    readdirSync(new URL(`../../src/pages/static/${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
      ending.test(name),
    );
  t.deepEqual([...styleFiles].map((name) => `${name}.css`).sort(), filesIn('css', /\.css$/).sort());
  const { sources } = await bundleScripts();
  t.deepEqual(
    filesIn('js', /(?<!\.d)\.ts$/).filter((name) => !sources.includes(`src/pages/static/js/${name}`)),
    [],
  );
});

test('only the script of every page has its modules; the scripts of single pages use them', async (t) => {
  const { scripts } = await bundleScripts();
  const textOfShared = 'The page has no ';
  t.true(scripts.app.includes(textOfShared));
  for (const name of pageBundles) t.false(scripts[name].includes(textOfShared), name);
});

test('the style names no other host, and the font by its served name', (t) => {
  const css = assetsOf([])
    .styles.map(({ bytes }) => bytes.toString())
    .join();
  const named = [...css.matchAll(/url\("?([^")]+)"?\)/g)].map(([, url]) => url!).filter((url) => !/^(data:|#)/.test(url));
  t.is(named.length, 2);
  for (const name of named) t.true(assetAt(name)?.lasting, name);
});

test('minifying a style sheet removes only comments, blanks and the last semicolon of a rule', (t) => {
  const css = `/* a; b */
.a > .b, .c:is(.d, .e) :hover {
  content: "/* x ; */ \\" ,  y";
  margin: calc(1px + 2px) -3px; /* c */
}
@media (max-width: 959px) {
  .f { --g: ; color: red; }
}
.h { --i: ; }`;
  t.is(
    leanCss(css),
    '.a > .b,.c:is(.d,.e) :hover{content:"/* x ; */ \\" ,  y";margin:calc(1px + 2px) -3px}@media (max-width:959px){.f{--g:;color:red}}.h{--i:}',
  );
});

test('each listed icon has a shape', (t) => {
  const sprite = assetAt(assetPath('icons.svg').slice('/static/'.length))!.asset.bytes.toString();
  for (const name of iconNames) t.regex(sprite, new RegExp(`<symbol id="${name}" viewBox="0 0 24 24"><(path|circle|rect|line|poly)`), name);
});

/** Answers as the pages do, without a socket. */
async function answer(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const app = new Koa();
  const res = { headers: {} as Record<string, string>, statusCode: 404 };
  const req = { method, url: path, headers: { host: 'localhost', ...headers }, socket: {} };
  const response = {
    ...res,
    setHeader: (name: string, value: string) => void Object.assign(res.headers, { [name.toLowerCase()]: value }),
    getHeader: (name: string) => res.headers[name.toLowerCase()],
    hasHeader: (name: string) => name.toLowerCase() in res.headers,
    removeHeader: (name: string) => delete res.headers[name.toLowerCase()],
    getHeaders: () => res.headers,
  };
  const ctx = app.createContext(req as never, response as never) as unknown as Context;
  const found = await serveAsset(ctx, path);
  return { found, status: ctx.status, headers: res.headers, body: ctx.body as Buffer };
}

const nameOf = (name: string) => assetPath(name).slice('/static/'.length);

test('under its hashed name a file is cached forever; by its plain or an older name for a minute', async (t) => {
  const lasting = await answer(nameOf('app.css'));
  t.is(lasting.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.is(lasting.headers['content-type'], 'text/css; charset=utf-8');
  for (const name of ['app.css', 'app.0123456789ab.css']) {
    const other = await answer(name);
    t.is(other.headers['cache-control'], 'public, max-age=60', name);
    t.deepEqual(other.body, lasting.body, name);
  }
  t.is((await answer(nameOf('inter-latin.woff2'))).headers['content-type'], 'font/woff2');
  for (const name of ['app.css.map', '../app.ts', 'constructor', 'app.js.css', '']) t.false((await answer(name)).found, name);
  t.false((await answer(nameOf('app.css'), {}, 'POST')).found);
});

test('files are compressed as the browser accepts, with Vary', async (t) => {
  const name = nameOf('app.js');
  const plain = await answer(name);
  const [br, gzip] = [await answer(name, { 'accept-encoding': 'gzip, br' }), await answer(name, { 'accept-encoding': 'gzip' })];
  t.deepEqual(
    [br.headers['content-encoding'], gzip.headers['content-encoding'], plain.headers['content-encoding']],
    ['br', 'gzip', undefined],
  );
  t.deepEqual(brotliDecompressSync(br.body), plain.body);
  t.deepEqual(gunzipSync(gzip.body), plain.body);
  for (const { headers } of [plain, br, gzip]) t.is(headers.vary, 'Accept-Encoding');
  const font = await answer(nameOf('inter-latin.woff2'), { 'accept-encoding': 'gzip, br' });
  t.is(font.headers['content-encoding'], undefined, 'a font is compressed already');
});

test('compressed files are cached by content for other processes, completely or not at all; without a cache they are still compressed', async (t) => {
  const folder = join(temporaryFolder(), 'made', 'when needed');
  t.teardown(() => rmSync(folder, { recursive: true }));
  const bytes = Buffer.from('a '.repeat(500));
  const [first, second] = await Promise.all([compressed(bytes, 'br', folder), compressed(bytes, 'br', folder)]);
  t.deepEqual(brotliDecompressSync(first), bytes);
  t.deepEqual(second, first);
  const [file, ...more] = readdirSync(folder);
  t.deepEqual(more, [], 'nothing half done is left');
  writeFileSync(join(folder, file!), 'kept');
  t.is((await compressed(bytes, 'br', folder)).toString(), 'kept');
  t.deepEqual(gunzipSync(await compressed(bytes, 'gzip', folder)), bytes);
  t.deepEqual(brotliDecompressSync(await compressed(Buffer.from('other'), 'br', folder)).toString(), 'other');
  t.deepEqual(brotliDecompressSync(await compressed(bytes, 'br', join(folder, file!, 'below a file'))), bytes);
});

test('a cached file gets 304 in any encoding', async (t) => {
  const { headers } = await answer('app.css');
  for (const encoding of ['identity', 'gzip', 'br']) {
    const again = await answer('app.css', { 'if-none-match': headers.etag!, 'accept-encoding': encoding });
    t.deepEqual([again.status, again.body ?? null], [304, null], encoding);
  }
  t.is((await answer('app.css', { 'if-none-match': '"another"' })).status, 200);
});
