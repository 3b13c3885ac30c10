/** Assets are read at boot; pages load nothing from other hosts. Names carry a content hash, so browsers cache them forever
 *  (serveAsset.ts). */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { keysOf, ownValue } from '../../values/records.ts';
import { editorHash, editorScript } from '../editor/bundle.ts';
import { bundleScripts, type PageBundle, type ScriptFile } from '../static/bundle.ts';
import { iconSprite } from './components/icon.ts';
import { leanCss } from './lean.ts';

/** Of the browser's frame: the surface of tokens.css. */
export const themeColors = { light: '#fffefc', dark: '#151b1c' } as const;

/** Classes for agenda blocks in quarter hours (a day may have 25 hours), because the CSP forbids style attributes. */
const quarters = Array.from({ length: 100 }, (_, i) => i + 1);

const quarterRules = (): string =>
  `@layer parts{${quarters.map((n) => `.q${n}{grid-row-start:${n}}.n${n}{grid-row-end:span ${n}}`).join('')}}`;

const require = createRequire(import.meta.url);
const own = (path: string) => readFileSync(new URL(`../static/${path}`, import.meta.url));
const ofPackage = (path: string) => readFileSync(require.resolve(path));

/** Order in the file; cascade layers decide which rule wins (tokens.css). */
const parts = [
  ...['controls', 'signs', 'menus', 'fields', 'panels', 'rows', 'bulk', 'palette', 'board', 'prose', 'stream', 'approval', 'day', 'agents'],
  ...['setUp', 'table', 'toast', 'picker'],
].map((name) => `parts/${name}`);
const styles = [
  ...['tokens', 'base', 'shell', 'forms', ...parts],
  ...['list', 'board', 'inPlace', 'my', 'item', 'profile', 'search', 'capacity'],
  ...['agents', 'settings', 'live', 'phone'],
  // Must come after all layers.
  'print',
];
/** Scripts that a page can list. */
export type PageScript = PageBundle | 'editor';
/** Loaded only by pages that list them in Page.sheets. */
const sheets = [
  'compose',
  'conflict',
  'editor',
  'goals',
  'heat',
  'inbox',
  'itemTexts',
  'measure',
  'notes',
  'reports',
  'reference',
  'styleguide',
  'timeline',
] as const;
export type Sheet = (typeof sheets)[number];

export interface Asset {
  type: string;
  bytes: Buffer;
  text: boolean;
}

const png = (name: string): Asset => ({ type: 'image/png', bytes: own(`icons/${name}.png`), text: false });
const text = (type: string, content: string | Buffer): Asset => ({ type, bytes: Buffer.from(content), text: true });
const style = (name: string): string => own(`css/${name}.css`).toString();
/** Made by `npm run build`. */
declare const STINT_SCRIPTS: Record<ScriptFile, string>;
const scripts = typeof STINT_SCRIPTS === 'object' ? STINT_SCRIPTS : (await bundleScripts()).scripts;

/** Throws if the name is unknown. */
function known<T>(found: T | undefined, name: string): T {
  if (!found) throw new Error(`There is no ${name} in frame/assets.ts.`);
  return found;
}

const font = (subset: string): Asset => ({
  type: 'font/woff2',
  bytes: ofPackage(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`),
  text: false,
});

const fonts = { 'inter-latin.woff2': font('latin'), 'inter-latin-ext.woff2': font('latin-ext') };

const named = (name: string, { bytes }: Asset): string => {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}.${hash('sha256', bytes, 'hex').slice(0, 12)}${name.slice(dot)}`;
};

const withFonts = (css: string): string =>
  Object.entries(fonts).reduce((all, [name, asset]) => all.replaceAll(`url("${name}")`, `url("${named(name, asset)}")`), css);

/** Limits narrow-screen rules to screens: some browsers report the paper width as the viewport width when printing. */
const ofScreens = (css: string): string => css.replaceAll('@media (max-width', '@media screen and (max-width');

/** The service worker is not served as a static file (installed.ts). */
const { worker: workerScript, ...servedScripts } = scripts;
export const workerText: string = workerScript;

const files: Record<string, Asset> = {
  ...fonts,
  'app.css': text('text/css', leanCss(`${ofScreens(withFonts(styles.map(style).join('\n')))}${quarterRules()}`)),
  'htmx.js': text('text/javascript', ofPackage('htmx.org/dist/htmx.min.js')),
  ...Object.fromEntries(sheets.map((name) => [`${name}.css`, text('text/css', leanCss(ofScreens(style(name))))])),
  ...Object.fromEntries(keysOf(servedScripts).map((name) => [`${name}.js`, text('text/javascript', servedScripts[name])])),
  'icons.svg': text('image/svg+xml', iconSprite()),
  'icon.svg': text('image/svg+xml', own('icon.svg')),
  ...Object.fromEntries(['icon-192', 'icon-512', 'maskable-512', 'touch-180'].map((name) => [`${name}.png`, png(name)])),
};

/** Loaded with notes, elsewhere when a text is first edited. Its bytes are built at the first request. */
const EDITOR = 'editor.js';
Object.defineProperty(files, EDITOR, {
  enumerable: false,
  get: (): Asset => text('text/javascript', editorScript()),
});

const names = new Map([
  ...Object.entries(files).map(([name, asset]) => [name, named(name, asset)] as const),
  [EDITOR, `editor.${editorHash().slice(0, 12)}.js`] as const,
]);

/** Path of a file below the context path: /static/app.HASH.css. */
export const assetPath = (name: string): string => `/static/${known(names.get(name), name)}`;

/** Also accepts the plain name and older hashes: old pages, and other versions in a rolling deployment, request them. `lasting`: never
 *  changes. */
export function assetAt(name: string): { asset: Asset; name: string; lasting: boolean } | null {
  const plain = name.replace(/\.[0-9a-f]{12}(\.\w+)$/, '$1');
  const asset = ownValue(files, plain);
  return asset ? { asset, name: plain, lasting: names.get(plain) === name } : null;
}

/** Compressed at start. The editor is compressed at its first request, unless it is built. */
export const texts = Object.entries(files).filter(([, { text }]) => text);

export const assetsOf = (page: readonly PageBundle[], own: readonly Sheet[] = []): { styles: Asset[]; scripts: Asset[] } => ({
  styles: ['app.css', ...own.map((name) => `${name}.css`)].map((name) => known(files[name], name)),
  scripts: ['app.js', 'htmx.js', ...page.map((name) => `${name}.js`)].map((name) => known(files[name], name)),
});

export const styleFiles: readonly string[] = [...styles, ...sheets];
export const sheetNames: readonly Sheet[] = sheets;
