// Functions that all scripts use: finding and making elements, fetching pages, and improving elements after each swap.

type Improve = (found: HTMLElement) => void;
const improvements: [selector: string, improve: Improve][] = [];

/** The context path of the pages. */
export const base =
  document.currentScript instanceof HTMLScriptElement ? (pathOf(document.currentScript.src).split('/static/')[0] ?? '') : '';

function pathOf(href: string): string {
  return new URL(href).pathname;
}

/** Calls `improve` on every match, now and after each swap. It may get the same element again. */
export function each<E extends HTMLElement = HTMLElement>(selector: string, improve: (found: E) => void): void;
export function each(selector: string, improve: Improve): void {
  improvements.push([selector, improve]);
  for (const found of all(selector)) improve(found);
}

export function improveAll(): void {
  for (const [selector, improve] of improvements) for (const found of all(selector)) improve(found);
}
document.addEventListener('htmx:after:swap', improveAll);

export const all = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] => [
  ...root.querySelectorAll<E>(selector),
];

/** An element that the page always has. */
export function the<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E {
  const found = root.querySelector<E>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** The element around the target of an event, or the target itself. */
export const around = <E extends Element = HTMLElement>(target: EventTarget | null, selector: string): E | null =>
  target instanceof Element ? target.closest<E>(selector) : null;

/** A page of this application: the response and its document. */
export async function fetchPage(href: string | URL, { headers, ...options }: RequestInit & { headers?: Record<string, string> } = {}) {
  const answer = await fetch(href, { ...options, headers: { Accept: 'text/html', ...headers } });
  return { answer, page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
}

/** An element with attributes and content. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** Opens a dialog with a title and Close; closing removes it. */
export function showDialog(id: string, title: string, body: Node, name = ''): HTMLDialogElement {
  const close = make('button', { type: 'button', class: 'btn small' }, 'Close');
  const head = make('header', {}, make('h2', { id }, title), close);
  const dialog = make('dialog', { class: `dialog ${name}`.trim(), 'aria-labelledby': id }, head, body);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Data of the server about a page: its user, session and position in the change feed (frame/layout.ts). */
export const facts = (page = document): DOMStringMap => page.getElementById('head')?.dataset ?? {};

/** Marks the active option of a combobox; null if there is none. The focus stays in the field. */
export function activate(field: Element, options: Iterable<Element>, active: Element | null | undefined): void {
  for (const one of options) {
    one.classList.toggle('is-active', one === active);
    one.setAttribute('aria-selected', String(one === active));
  }
  if (active) field.setAttribute('aria-activedescendant', active.id);
  else field.removeAttribute('aria-activedescendant');
}

/** The element with the focus. */
export const focusedElement = (): HTMLElement | null => around(document.activeElement, '*');

/** The click after a drag must not open the link. */
export function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, true));
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An icon of the page's sprite. */
export function icon(name: string, size = 's'): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', `i ${size}`);
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `${document.body.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export const isField = (one: unknown): one is Field =>
  one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement;

/** The field of a form with this name, or null. */
export function fieldOf(form: HTMLFormElement, name: string): Field | null {
  const found = form.elements.namedItem(name);
  return isField(found) ? found : null;
}

export const fieldValue = (form: HTMLFormElement, name: string): string => fieldOf(form, name)?.value ?? '';

export function setValue(form: HTMLFormElement, name: string, value: string): void {
  const field = fieldOf(form, name);
  if (field) field.value = value;
}

/** The values of a form as a query string, with the value of the button that sends it. */
export const queryOf = (form: HTMLFormElement, submitter?: HTMLElement | null): URLSearchParams =>
  new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]));
