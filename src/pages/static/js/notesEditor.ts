// The text of a note: in the rich editor, or as HTML in its field if the editor would lose something (behaviour §29.2).
import { make } from './shared.ts';

export class NoteText {
  declare area: HTMLTextAreaElement;
  declare box: HTMLElement;
  declare rich: any;
  constructor(area) {
    this.area = area;
    this.box = document.querySelector(`[data-writes="${area.id}"]`);
    this.open();
  }

  open() {
    const label = 'Text';
    const placeholder = 'Write a note. Start a line with # for a heading or - for a list.';
    this.rich = stintEditor.editNote(this.area, { into: this.box.querySelector('[data-text]'), label, placeholder });
    const field = this.area.closest('.as-html');
    field.hidden = this.rich !== null;
    if (this.rich) return;
    field.open = true;
    field.querySelector('summary')?.remove();
    this.box
      .querySelector('[data-text]')
      .replaceChildren(make('p', { class: 'notice' }, 'The editor cannot show all of this note without changing it. Edit its HTML below.'));
  }

  get html() {
    this.rich?.flush();
    return this.area.value;
  }
  /** One step for undo. */
  replace(html) {
    if (this.rich?.replace(html)) return;
    this.rich?.destroy();
    this.area.value = html;
    this.open();
    this.area.dispatchEvent(new Event('input'));
  }
  /** Null while the note is edited as HTML. */
  get title() {
    const text = this.rich?.dom.querySelector('.editable').innerText;
    return text === undefined ? null : (text.split('\n').find((line) => line.trim()) ?? '').trim().slice(0, 200);
  }
  focus() {
    (this.rich ?? this.area).focus();
  }
}

export function editNote(area, html = area.value) {
  area.value = html;
  return new NoteText(area);
}
