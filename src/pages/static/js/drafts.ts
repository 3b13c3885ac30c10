// Texts that are not saved yet, in localStorage, by user and address: `textarea[data-draft]`. A draft has the version that it changes.
import { all, around, facts, fieldOf } from './shared.ts';

const PAUSE_MS = 500;
const DAYS = 30;
const PREFIX = 'stint-draft/';
const FIELD = 'textarea[data-draft]';
const clocks = new Map<HTMLTextAreaElement, number>();

interface Draft {
  text: string;
  version?: string;
  marks?: string;
  at: number;
}

const nameOf = (field: HTMLTextAreaElement) => `${PREFIX}${facts().user}${field.form?.getAttribute('action')}#${field.name}`;

// Storage may be full or disabled.
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function keep(field: HTMLTextAreaElement): void {
  clocks.delete(field);
  const { form } = field;
  if (!field.isConnected || !form) return;
  const isSame = field.value === field.defaultValue;
  const [version, marks] = [fieldOf(form, 'version')?.value, fieldOf(form, 'marks')?.value];
  const kept = quietly(() => {
    if (isSame) localStorage.removeItem(nameOf(field));
    else localStorage.setItem(nameOf(field), JSON.stringify({ text: field.value, version, marks, at: Date.now() }));
    return true;
  });
  const told = form.querySelector('[data-draft-told]');
  if (told) told.textContent = isSame ? '' : kept ? 'Draft kept in this browser. Not saved for the team yet.' : 'Not saved yet.';
}

document.addEventListener('input', ({ target }) => {
  const field = around<HTMLTextAreaElement>(target, FIELD);
  if (!field) return;
  clearTimeout(clocks.get(field));
  clocks.set(field, window.setTimeout(keep, PAUSE_MS, field));
});
window.addEventListener('pagehide', () => {
  for (const field of clocks.keys()) keep(field);
});

export function dropDraft(field: HTMLTextAreaElement): void {
  clearTimeout(clocks.get(field));
  clocks.delete(field);
  quietly(() => localStorage.removeItem(nameOf(field)));
}

/** A draft that equals the text is not kept. */
export function findDraft(field: HTMLTextAreaElement): Draft | null {
  const draft = quietly(() => JSON.parse(localStorage.getItem(nameOf(field)) ?? 'null'));
  return draft && typeof draft.text === 'string' && draft.text !== field.defaultValue ? draft : null;
}

const dropDrafts = (form: HTMLFormElement) => {
  for (const field of all<HTMLTextAreaElement>(FIELD, form)) dropDraft(field);
};
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = around<HTMLFormElement>(ctx.sourceElement, 'form');
  if (form && ctx.request?.method !== 'GET' && ctx.response.status < 400) dropDrafts(form);
});
// The outbox sends the form later.
document.addEventListener('stint:kept', ({ target }) => {
  const form = around<HTMLFormElement>(target, 'form');
  if (form) dropDrafts(form);
});

quietly(() => {
  for (const [name, text] of Object.entries<string>(localStorage)) {
    if (!name.startsWith(PREFIX)) continue;
    const { at = 0 } = JSON.parse(text);
    if (Date.now() - at > DAYS * 86_400_000) localStorage.removeItem(name);
  }
});
