// Protects unsaved input while a swap updates the page.
import { all, type Field } from './shared.ts';

const parts = '#head, #timer, #work, #beside';
const typed = 'input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"]), textarea';

const isDirty = (field: Field): boolean =>
  field instanceof HTMLSelectElement
    ? [...field.options].some((one) => one.selected !== one.defaultSelected)
    : field.value !== field.defaultValue;

const inParts = <E extends Element = HTMLElement>(selector: string): E[] => all(parts).flatMap((part) => all<E>(selector, part));
const keptFields = (): Field[] =>
  inParts<Field>(`${typed}, select`).filter((one) => isDirty(one) || (one === document.activeElement && !one.matches('[type="hidden"]')));

export const isTicked = (): boolean =>
  inParts<HTMLInputElement>('input[type="checkbox"], input[type="radio"]').some((one) => one.checked !== one.defaultChecked);

const sameForms = (root: Document, form: HTMLFormElement): HTMLElement[] =>
  all(`form[action="${CSS.escape(form.getAttribute('action') ?? '')}"]`, root).filter((one) => one.closest(parts));

function counterpart(page: Document, form: HTMLFormElement): HTMLElement | null | undefined {
  if (form.id) return page.getElementById(form.id);
  const [here, there] = [sameForms(document, form), sameForms(page, form)];
  return here.length === there.length ? there[here.indexOf(form)] : null;
}

/** Returns a function that ends the protection, or null if the new page lacks a form with unsaved input. */
export function keepTyped(page: Document): (() => void) | null {
  const kept = [...new Set([...keptFields().map(({ form }) => form), ...inParts<HTMLFormElement>('form[data-editing]')])];
  const undo: (() => void)[] = [];
  const release = () => {
    for (const one of undo) one();
  };
  for (const [n, form] of kept.entries()) {
    const other = form && counterpart(page, form);
    if (!other) {
      release();
      return null;
    }
    if (!form.id) {
      form.id = `kept-${n}`;
      other.id = form.id;
      undo.push(() => form.removeAttribute('id'));
    }
    form.setAttribute('hx-morph-skip', '');
    undo.push(() => form.removeAttribute('hx-morph-skip'));
  }
  return release;
}
