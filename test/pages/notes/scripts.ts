/** Scripts that need no page, run without a browser. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { leanJs } from '../../../src/pages/frame/lean.ts';

/** Returns what they define in window.stint. */
export function scripts(...names: string[]): Record<string, unknown> {
  const window = { stint: { notes: {} } };
  const context = createContext({ ...globalThis, crypto, TextEncoder, TextDecoder, btoa, atob, URL, window, stint: window.stint });
  for (const name of names) {
    const source = readFileSync(new URL(`../../../src/pages/static/js/${name}.ts`, import.meta.url), 'utf8');
    runInContext(leanJs(source), context);
  }
  return window.stint;
}

export const noteScripts = (...names: string[]) => scripts(...names).notes as Record<string, unknown>;
