/** The editor's modules and ProseMirror as one script, made by esbuild: by `npm run build`, or when a page first asks for it. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

declare const STINT_EDITOR: string;

const root = new URL('../../../', import.meta.url);
const require = createRequire(import.meta.url);

export const editorSources: readonly string[] = [
  ...['markdown', 'format', 'noteHtml'].map((name) => `src/pages/editor/${name}.ts`),
  ...['src/pages/frame/components/markdownSyntax.ts', 'src/personal-notes/html/links.ts'],
  ...['commands', 'index', 'noteFormat', 'paste', 'toolbar', 'typing', 'view'].map((name) => `src/pages/editor/browser/${name}.ts`),
];

/** Needs the development packages. */
export function bundleEditor(): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(root),
    entryPoints: ['src/pages/editor/browser/index.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'stintEditor',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

let made: string | undefined;

/** The script. Without a build it is made at the first call, which takes a third of a second. */
export function editorScript(): string {
  made ??= typeof STINT_EDITOR === 'string' ? STINT_EDITOR : bundleEditor();
  return made;
}

/** Changes with the script, without making it. */
export function editorHash(): string {
  if (typeof STINT_EDITOR === 'string') return hash('sha256', STINT_EDITOR, 'hex');
  const sources = [...editorSources, 'package.json'].map((path) => readFileSync(new URL(path, root), 'utf8'));
  return hash('sha256', sources.join('\0'), 'hex');
}
