/** Controls for the choices of an import: selects for names from the file (behaviour §36.20). */
import { fold } from '../frame/components/boxes.ts';
import { table } from '../frame/components/row.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { option } from '../frame/widgets.ts';

export type Choice = readonly [value: string, label: string];

/** A hidden field with a name from the file, and a select for its new value. */
export const pair = (
  kind: string,
  name: string,
  choices: readonly Choice[],
  chosen: string,
): Content => html`<input type="hidden" name="${kind}" value="${name}">
<select name="${kind}To" aria-label="${name}">${choices.map(([value, label]) => option(value, label, chosen))}</select>`;

interface Table<Entry extends { name: string; count: number }> {
  kind: string;
  title: string;
  entries: readonly Entry[];
  choices: readonly Choice[];
  chosenOf(entry: Entry): string;
  becomes(entry: Entry): Content;
  /** A second control after the select. */
  more?(entry: Entry): Content;
  open?: boolean;
}

export const MOST_SHOWN = 200;

export function choiceTable<Entry extends { name: string; count: number }>({
  kind,
  title,
  entries,
  choices,
  chosenOf,
  becomes,
  more,
  open = false,
}: Table<Entry>): Content {
  if (entries.length === 0) return null;
  const columns = [{ label: 'In the file' }, { label: 'Items', number: true }, { label: 'Becomes' }, { label: 'Change to' }];
  const rows = entries
    .slice(0, MOST_SHOWN)
    .map((entry) => [
      entry.name,
      entry.count.toLocaleString('en'),
      becomes(entry),
      html`${pair(kind, entry.name, choices, chosenOf(entry))}${more?.(entry)}`,
    ]);
  return fold(html`${title} <span class="meta">${entries.length.toLocaleString('en')}</span>`, table({ caption: title, columns }, rows), {
    open,
  });
}

export const usual: Choice = ['', 'As proposed'];
export const selectOf = (name: string, label: string, choices: readonly Choice[], chosen: string, needed: boolean): Content =>
  needed && html`<label>${label} <select name="${name}">${choices.map(([value, words]) => option(value, words, chosen))}</select></label>`;

/** The pairs of one kind that have a choice. */
export function pairsOf(form: Form, kind: string): [string, string][] {
  const chosen = form.all(`${kind}To`);
  return form.all(kind).flatMap((name, at): [string, string][] => (chosen[at] ? [[name, chosen[at]]] : []));
}
