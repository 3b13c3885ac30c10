/** What a row shows of a note: its title, and how it begins, or the place where what was searched for was found, marked. */
import type { OwnSummary } from '../../personal-notes/ownNotes.ts';
import { firstCharacters } from '../../values/text.ts';
import { type Content, html } from '../frame/html.ts';

const LENGTH = 140;

/** `title` null: the note has none to show. Nothing is told of a protected note. */
export function excerptOf(note: Pick<OwnSummary, 'title' | 'excerpt'>, search: string): { title: Content; excerpt: Content } {
  const title = note.title ? marked(note.title, search) : null;
  if (search) {
    const found = note.excerpt.replace(/\s+/g, ' ');
    // What stands in the title is seen there.
    return { title, excerpt: found && !note.title.includes(found) && html`…${marked(found, search)}…` };
  }
  const rest = note.excerpt.split('\n').slice(1).join(' ');
  return { title, excerpt: firstCharacters(rest, LENGTH) };
}

/** Every place of `search`, whatever its case. */
export function marked(text: string, search: string): Content {
  const [where, what] = [text.toLowerCase(), search.toLowerCase()];
  // In a few languages a letter's lower case is longer than itself: places would be wrong.
  if (!what || where.length !== text.length) return text;
  const parts: Content[] = [];
  let from = 0;
  for (let found = where.indexOf(what); found >= 0; found = where.indexOf(what, from)) {
    parts.push(text.slice(from, found), html`<mark>${text.slice(found, found + what.length)}</mark>`);
    from = found + what.length;
  }
  return [...parts, text.slice(from)];
}
