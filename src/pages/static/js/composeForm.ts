// The dialog of a new item, the form in it, and the fields that are shown as chips.
import { all, base, type Field, fieldOf, make, the } from './shared.ts';

export const dialog = make('dialog', { class: 'compose' });

export const form = () => the<HTMLFormElement>('.item-form', dialog);
export const where = () => the<HTMLFormElement>('.where', dialog);
export const said = () => the('.c-said', dialog);
export const title = () => the<HTMLInputElement>('[name="title"]', form());
export const chips = () => all<HTMLSelectElement | HTMLInputElement>('.cells :is(select, input)', form());

export const isSelect = (control: Element): control is HTMLSelectElement => control instanceof HTMLSelectElement;
const isSeveral = (control: Field): control is HTMLSelectElement => isSelect(control) && control.multiple;

/** Of a select of several: those that the title does not name. */
export const chosenIn = (control: Field): string | string[] =>
  isSeveral(control) ? [...control.selectedOptions].filter(({ dataset }) => !('said' in dataset)).map(({ value }) => value) : control.value;

export function put(control: Field, value: string | string[]): void {
  if (isSeveral(control)) for (const one of control.options) one.selected = value.includes(one.value);
  else control.value = String(value);
}

/** The value before anything was chosen. */
export function usual(control: Field): string {
  if (!isSelect(control)) return control.defaultValue;
  return ([...control.options].find((one) => one.defaultSelected) ?? control.options[0])?.value ?? '';
}

/** Takes back what the title has set. */
function unset(control: Field): void {
  put(control, isSeveral(control) ? chosenIn(control) : usual(control));
  delete control.dataset.said;
  if (isSelect(control)) for (const one of control.options) delete one.dataset.said;
}

export interface Mark {
  name: string;
  value: string;
  /** The word of the title that sets the field. */
  word: string;
  text: string;
}

function optionOf(control: HTMLSelectElement, { value, text }: Mark): HTMLOptionElement {
  const found = [...control.options].find((option) => option.value === value);
  if (found) return found;
  const made = new Option(text, value);
  control.add(made);
  return made;
}

/** Sets the field that a word names. Returns its label, or null if nothing changed. */
function set(mark: Mark): string | null {
  const control = fieldOf(form(), mark.name);
  if (!control || ('chosen' in control.dataset && !isSeveral(control))) return null;
  if (isSeveral(control)) {
    const option = optionOf(control, mark);
    if (option.selected) return null;
    option.selected = true;
    option.dataset.said = '';
    control.dataset.said = '';
    return 'Labels';
  }
  if (isSelect(control)) optionOf(control, mark);
  control.value = control.matches('[data-find]') ? `#${mark.text}` : mark.value;
  control.dataset.said = '';
  return control.closest('label')?.querySelector('.l')?.textContent ?? '';
}

/** Sets the fields that the title names, and no others that it named before. Returns the labels of those that changed. */
export function setFromTitle(marks: readonly Mark[]): string[] {
  for (const control of chips()) if ('said' in control.dataset) unset(control);
  return marks.map(set).filter((label) => label !== null);
}

/** The values that the form sends. The server reads the title itself, so fields that the title has set keep their usual value. */
export function dataOf(button: HTMLElement | null): FormData {
  const data = new FormData(form(), button);
  for (const control of chips()) {
    const chosen = chosenIn(control);
    if (typeof chosen !== 'string') {
      data.delete(control.name);
      for (const value of chosen) data.append(control.name, value);
    } else if ('said' in control.dataset) data.set(control.name, usual(control));
    if ('chosen' in control.dataset) data.append('chosen', control.name);
  }
  data.set('words', 'yes');
  data.set('back', (location.pathname + location.search).slice(base.length));
  return data;
}
