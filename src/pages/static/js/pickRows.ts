// The rows of a list of choices: their text with the typed words marked, pictures and notes.
import { icon, make } from './shared.ts';

/** Notes of the server about a choice: free hours or absences of a person, and if it is a service. */
export type Notes = Record<string, { note?: string; service?: boolean }>;

export interface Choice {
  value: string;
  label: string;
  note?: string | undefined;
  /** Shape and initials of the avatar. */
  av?: string | undefined;
  selected?: boolean;
}

export const wordsOf = (text: string): string[] => text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
export const hasAll = (words: readonly string[], text: string): boolean => words.every((word) => text.toLocaleLowerCase().includes(word));

export async function fetchJson<T>(href: string | URL, signal: AbortSignal | null = null): Promise<T> {
  const answer = await fetch(href, { signal, headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** The label with the typed words marked. */
function marked(label: string, words: readonly string[]): HTMLElement {
  const lower = label.toLocaleLowerCase();
  const hits = words.map((word) => ({ at: lower.indexOf(word), length: word.length })).filter(({ at }) => at >= 0);
  const parts = make('span', { class: 'cut', dir: 'auto' });
  let done = 0;
  for (const { at, length } of hits.sort((a, b) => a.at - b.at)) {
    if (at < done) continue;
    parts.append(label.slice(done, at), make('mark', {}, label.slice(at, at + length)));
    done = at + length;
  }
  parts.append(label.slice(done));
  return parts;
}

function avatar(text: string): HTMLElement {
  const [shape, initials] = text.split(' ');
  return make('span', { class: `av ${shape}`, 'aria-hidden': 'true' }, initials ?? icon('bot'));
}

export function rowOf({ value, label, note, av, selected }: Choice, at: number, words: readonly string[], told: Notes[string] | undefined) {
  const row = make('div', { class: 'opt', role: 'option', id: `pick-${at}`, 'data-value': value });
  const shown = told?.service ? 'bot' : av;
  if (shown) row.append(avatar(shown));
  row.append(marked(label, words));
  const said = told?.note || note;
  if (said) row.append(make('span', { class: 'up' }, said));
  if (selected) row.append(icon('check'));
  return row;
}
