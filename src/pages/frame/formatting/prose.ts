/** The Markdown texts of a page: formatted, or unformatted with a link that formats one (behaviour §18.4, §18.15). */
import { hash } from 'node:crypto';
import { unmetered } from '../../../values/meter.ts';
import type { MarkdownLinks } from '../components/markdown.ts';
import { Html, html } from '../html.ts';
import type { PageRequest } from '../page.ts';
import { format } from './format.ts';

export type Prose = (text: string) => Html;

const PARAMETER = 'formatted';

interface Page {
  at: string;
  links: MarkdownLinks;
  texts: readonly (string | null | undefined)[];
}

export async function proseOf({ user, query, basePath }: PageRequest, { at, texts, ...page }: Page): Promise<Prose> {
  const links = { ...page.links, files: basePath };
  const asked = query.get(PARAMETER);
  const wanted = [...new Set(texts)].flatMap((text) => text || []);
  const unformatted = wanted.map((text) => ({ text, budget: asked === idOf(text) ? 'asked' : 'usual' }) as const);
  const made = await unmetered(format(String(user.id), links, unformatted));
  const formatted = new Map(wanted.map((text, n) => [text, made[n]]));
  return (text) => {
    const found = formatted.get(text);
    const id = idOf(text);
    if (typeof found === 'string') return html`<div class="prose"${asked === id && html` id="text-${id}"`}>${new Html(found)}</div>`;
    const params = new URLSearchParams(query);
    params.set(PARAMETER, id);
    const more =
      asked === id
        ? 'This text is too long to show formatted, or the server is busy.'
        : html`<a href="${at}?${params.toString()}#text-${id}">Show formatted</a>`;
    return html`<div class="prose" id="text-${id}"><p class="as-is">${text}</p><p class="meta">${more}</p></div>`;
  };
}

const idOf = (text: string): string => hash('sha1', text).slice(0, 12);
