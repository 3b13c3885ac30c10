// The text of a note: in the rich editor, or as HTML in its field if the editor would lose something (behaviour §29.2).
import type { Edited } from '../../editor/browser/view.ts';
import { make, the } from './shared.ts';

export class NoteText {
  readonly area: HTMLTextAreaElement;
  readonly box: HTMLElement;
  #rich: Edited | null = null;

  constructor(area: HTMLTextAreaElement) {
    this.area = area;
    this.box = the(`[data-writes="${area.id}"]`);
    this.#open();
  }

  #open(): void {
    const into = the('[data-text]', this.box);
    const label = 'Text';
    const placeholder = 'Write a note. Start a line with # for a heading or - for a list.';
    this.#rich = stintEditor.editNote(this.area, { into, label, placeholder });
    const field = this.area.closest<HTMLElement>('.as-html');
    if (field) field.hidden = this.#rich !== null;
    if (this.#rich) return;
    if (field instanceof HTMLDetailsElement) field.open = true;
    field?.querySelector('summary')?.remove();
    into.replaceChildren(
      make('p', { class: 'notice' }, 'The editor cannot show all of this note without changing it. Edit its HTML below.'),
    );
  }

  get html(): string {
    this.#rich?.flush();
    return this.area.value;
  }
  /** One step for undo. */
  replace(html: string): void {
    if (this.#rich?.replace(html)) return;
    this.#rich?.destroy();
    this.area.value = html;
    this.#open();
    this.area.dispatchEvent(new Event('input'));
  }
  /** Null while the note is edited as HTML. */
  get title(): string | null {
    const text = this.#rich?.dom.querySelector<HTMLElement>('.editable')?.innerText;
    return text === undefined ? null : (text.split('\n').find((line) => line.trim()) ?? '').trim().slice(0, 200);
  }
  focus(): void {
    (this.#rich ?? this.area).focus();
  }
}

export function editNote(area: HTMLTextAreaElement, html = area.value): NoteText {
  area.value = html;
  return new NoteText(area);
}
