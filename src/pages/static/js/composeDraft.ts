// The draft of a new item stays in this tab, for its user.
import { chosenIn, form, put, title } from './composeForm.ts';
import { facts, fieldOf, isField } from './shared.ts';

const DRAFT_AFTER_MS = 500;
const key = `stint-new:${facts().user ?? ''}`;
let saving = 0;

interface Draft {
  /** The address of the form. */
  href: string;
  values: [name: string, value: string | string[], chosen: boolean][];
}

export function storedDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function keepDraft(href: string): void {
  clearTimeout(saving);
  const typed = [...form().elements]
    .filter(isField)
    .filter(({ name, type }) => name && !name.startsWith('_') && type !== 'hidden' && type !== 'checkbox');
  const values = typed.map((control) => [control.name, chosenIn(control), 'chosen' in control.dataset]);
  if (title().value.trim() === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ href, values }));
}

export function keepDraftSoon(href: string): void {
  clearTimeout(saving);
  saving = window.setTimeout(keepDraft, DRAFT_AFTER_MS, href);
}

export function keepDraftNow(href: string): void {
  if (saving) keepDraft(href);
}

export function dropDraft(): void {
  clearTimeout(saving);
  saving = 0;
  sessionStorage.removeItem(key);
}

export function fillFrom({ values }: Draft): void {
  for (const [name, value, chosen] of values) {
    const control = fieldOf(form(), name);
    if (!control || !(chosen || control.closest('.texts'))) continue;
    put(control, value);
    if (chosen) control.dataset.chosen = '';
  }
}
