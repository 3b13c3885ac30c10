import type { OwnSummary } from '../../personal-notes/ownNotes.ts';
import { firstCharacters } from '../../values/text.ts';
import { type Content, html } from '../frame/html.ts';

const LENGTH = 140;

/** `title` is null without a title. Protected notes show nothing. */
export function excerptOf(note: Pick<OwnSummary, 'title' | 'excerpt'>, search: string): { title: Content; excerpt: Content } {
  const title = note.title ? marked(note.title, search) : null;
  if (search) {
    const found = note.excerpt.replace(/\s+/g, ' ');
    // The title already shows the match.
    return { title, excerpt: found && !note.title.includes(found) && html`…${marked(found, search)}…` };
  }
  const rest = note.excerpt.split('\n').slice(1).join(' ');
  return { title, excerpt: firstCharacters(rest, LENGTH) };
}

export function marked(text: string, search: string): Content {
  const [where, what] = [text.toLowerCase(), search.toLowerCase()];
  // Some lower-case letters are longer than upper-case ones, which would shift the positions.
  if (!what || where.length !== text.length) return text;
  const parts: Content[] = [];
  let from = 0;
  for (let found = where.indexOf(what); found >= 0; found = where.indexOf(what, from)) {
    parts.push(text.slice(from, found), html`<mark>${text.slice(found, found + what.length)}</mark>`);
    from = found + what.length;
  }
  return [...parts, text.slice(from)];
}
