// The form of a note, and what the page shows about the note.
import { fieldOf, make, the } from './shared.ts';

export interface Version {
  revision: number | string;
  opened?: number | string | undefined;
}

/** Hints that are hidden without script. */
export function showHints(): void {
  for (const hint of document.querySelectorAll<HTMLElement>('[data-by-script]')) hint.hidden = false;
}

export const reloadLink = (label: string): HTMLElement => make('a', { href: location.pathname + location.search }, label);

export function showState(
  form: HTMLFormElement,
  text: string,
  { wrong = false, link }: { wrong?: boolean; link?: Node | undefined } = {},
): void {
  const line = the('[data-state]', form);
  line.replaceChildren(text, ...(link ? [' ', link] : []));
  line.classList.toggle('wrong', wrong);
  // Only errors are announced; an announcement at every pause would disturb.
  if (wrong) line.setAttribute('role', 'alert');
  else line.removeAttribute('role');
}

/** The address that a text is saved at. */
export function addressOf(form: HTMLFormElement): string {
  const action = form.getAttribute('action') ?? '';
  if (form.dataset.kind === 'new') return action;
  const { pathname } = new URL(action, location.href);
  return `${pathname.replace(/\/encrypt$/, '')}/autosave`;
}

/** After creating a note, the page becomes the page of that note. `theirs`: its form in that page. */
export function adoptNote(form: HTMLFormElement, page: Document, theirs: HTMLElement, url: string): void {
  Object.assign(form.dataset, theirs.dataset);
  form.setAttribute('action', theirs.getAttribute('action') ?? '');
  fieldOf(form, '_once')?.remove();
  form.prepend(...theirs.querySelectorAll('input[name=revision]'));
  for (const id of ['#notes-list', '#about']) the(id).replaceWith(document.importNode(the(id, page), true));
  history.replaceState(null, '', url.replace(/([?&])notice=\w+&?/, '$1').replace(/[?&]$/, ''));
  showHints();
}

/** All forms of the page about the note get its version. */
export function renewForms({ dataset: { note } }: HTMLFormElement, { revision, opened }: Version): void {
  for (const [name, value] of Object.entries({ revision, opened })) {
    if (value === undefined) continue;
    for (const field of document.querySelectorAll<HTMLInputElement>(`.notes-one input[name=${name}]`)) field.value = String(value);
  }
  document.querySelector(`[data-note="${note}"]`)?.setAttribute('data-revision', String(revision));
}

export function showTitle({ dataset: { kind, note } }: HTMLFormElement, title: string): void {
  the('#head h1').textContent = title;
  document.title = `${title} · Stint`;
  const link = document.querySelector(`li[data-note="${note}"] .t`);
  if (link && kind === 'plain') link.textContent = title;
}
