/** A select that a script opens as a list with a search field (static/js/picker.ts). Without script it stays a select. */
import { type Content, type Html, html } from '../html.ts';
import { initialsOf, tintOf } from './avatar.ts';

interface Pickable {
  value: string;
  label: string;
  note?: string;
  /** Shows an avatar. */
  who?: { id: number; name: string };
}

interface PickerProps {
  name: string;
  options: readonly Pickable[];
  chosen?: string | null | undefined;
  /** Path, with the context path, of notes by option; loaded while the list is open. */
  notes?: string | undefined;
  attributes?: Content;
}

export function pickSelect({ name, options, chosen = '', notes, attributes }: PickerProps): Html {
  return html`<select name="${name}" data-pick${notes && html` data-notes="${notes}"`}${attributes}>${options.map((one) => pickOption(one, chosen))}</select>`;
}

export function pickOption({ value, label, note, who }: Pickable, chosen: string | null): Html {
  const sign = who && `a${tintOf(who.id)} ${initialsOf(who.name)}`;
  return html`<option value="${value}"${note && html` data-note="${note}"`}${sign && html` data-av="${sign}"`}${value === chosen && html` selected`}>${label}</option>`;
}

export const personChoice = (id: number, name: string): Pickable => ({
  value: String(id),
  label: name,
  who: { id, name },
});
