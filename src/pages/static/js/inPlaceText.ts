// Edits title and texts in place, ticks boxes, and loads the rich editor on first use.
import { momentNow } from './clock.ts';
import { dropDraft, findDraft } from './drafts.ts';
import { enrich, unrich } from './richEditor.ts';
import { all, around, each, fieldOf, isField, make, setValue, the } from './shared.ts';

const textOf = (form: HTMLFormElement) => the<HTMLTextAreaElement>('textarea[data-draft]', form);
const isOpen = (form: HTMLFormElement) => form.hasAttribute('data-editing');

async function open(place: HTMLElement): Promise<void> {
  const form = place.querySelector<HTMLFormElement>('form.edit-form');
  if (!form || isOpen(form)) return;
  const field = textOf(form);
  const draft = findDraft(field);
  if (draft) {
    field.value = draft.text;
    setValue(form, 'version', draft.version ?? '');
    setValue(form, 'marks', draft.marks ?? '');
    const told = form.querySelector('[data-draft-told]');
    if (told) told.textContent = 'Draft kept in this browser. Not saved for the team yet.';
  }
  form.setAttribute('data-editing', '');
  place.querySelector('.draft-line')?.remove();
  field.focus();
  if (!field.dataset.editor) return field.select();
  await enrich(field, {
    small: field.dataset.small !== undefined,
    send: () => form.requestSubmit(),
    cancel: () => close(form),
  });
  if (!isOpen(form)) unrich(field);
}

// Restores the stored text and deletes the draft.
function close(form: HTMLFormElement): void {
  const field = textOf(form);
  unrich(field);
  form.reset();
  // `reset` leaves hidden fields as scripts set them.
  for (const name of ['version', 'marks']) {
    const hidden = fieldOf(form, name);
    if (hidden instanceof HTMLInputElement) hidden.value = hidden.defaultValue;
  }
  dropDraft(field);
  form.removeAttribute('data-editing');
  form.closest('[data-in-place]')?.querySelector<HTMLElement>('.edit-here')?.focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const { target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const cancelled = target.closest('[data-cancel]')?.closest('form');
  if (cancelled) return close(cancelled);
  const places = all('[data-in-place]');
  if (target.closest('[data-edit-all]') && places.length > 0) {
    event.preventDefault();
    for (const place of places.filter((one) => ['title', 'description'].includes(one.dataset.inPlace ?? '')).reverse()) open(place);
    return;
  }
  const place = target.closest<HTMLElement>('[data-in-place]');
  if (!place || target.closest('form')) return;
  if (target.closest('[data-edit]')) event.preventDefault();
  else if (place.dataset.inPlace === 'comment') return;
  else if (target.closest('a, button, input, summary, [tabindex]') || getSelection()?.isCollapsed === false) return;
  else if (!target.closest('.shown')) return;
  open(place);
});

document.addEventListener('keydown', (event) => {
  const form = around<HTMLFormElement>(event.target, 'form.edit-form');
  if (!form || event.isComposing || event.defaultPrevented) return;
  const isLine = around(event.target, '[data-line]');
  if (event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    close(form);
  }
});
document.addEventListener('input', ({ target }) => {
  if (isField(target) && target.matches('[data-line]') && target.value.includes('\n'))
    target.value = target.value.replace(/\s*\n\s*/g, ' ');
});

// Before the new page is morphed in: a closed form is replaced, an open one stays.
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = around<HTMLFormElement>(ctx.sourceElement, 'form.edit-form');
  if (!form || ctx.response.status >= 400) return;
  unrich(textOf(form));
  form.reset();
  form.removeAttribute('data-editing');
});

// A box in the shown text is ticked in the source, at its line, and saved immediately.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.dataset.task)) return;
  const form = target.closest('[data-in-place]')?.querySelector<HTMLFormElement>('form.edit-form');
  if (!form) return;
  const field = textOf(form);
  const lines = field.defaultValue.split('\n');
  const at = Number(target.dataset.task);
  const line = lines[at];
  if (line === undefined) return;
  lines[at] = line.replace(/\[[ xX]\]/, target.checked ? '[x]' : '[ ]');
  field.value = lines.join('\n');
  target.defaultChecked = target.checked;
  form.requestSubmit();
});

each('[data-in-place]', (place) => {
  const form = the<HTMLFormElement>('form.edit-form', place);
  place.querySelector('.edit-here')?.removeAttribute('hidden');
  for (const box of all<HTMLInputElement>('.shown input[data-task]', place)) box.disabled = false;
  const draft = findDraft(textOf(form));
  if (!draft || isOpen(form) || place.querySelector('.draft-line')) return;
  const more = make('button', { type: 'button', class: 'btn small' }, 'Continue editing');
  more.addEventListener('click', () => open(place));
  const away = make('button', { type: 'button', class: 'btn small quiet' }, 'Discard draft');
  away.addEventListener('click', () => {
    dropDraft(textOf(form));
    line.remove();
  });
  const at = momentNow(draft.at);
  const line = make('p', { class: 'draft-line meta' }, `You have an unsaved draft from ${at}.`, more, away);
  place.append(line);
});

// Long texts end at 40 lines, with a button for the rest. Without script they are shown whole.
const LINES = 40;
each('[data-clamp]', (text) => {
  if (text.dataset.clamp === 'open' || text.nextElementSibling?.matches('.show-all') || !text.checkVisibility()) return;
  const height = Number.parseFloat(getComputedStyle(text.firstElementChild ?? text).lineHeight) || 24;
  const lines = Math.round(text.scrollHeight / height);
  if (lines <= LINES + 5) return;
  text.classList.add('clamped');
  const more = make('button', { type: 'button', class: 'show-all' }, `Show all ${lines} lines`);
  more.addEventListener('click', () => {
    text.classList.remove('clamped');
    text.dataset.clamp = 'open';
    more.remove();
  });
  text.after(more);
});

// Conflict page: counts the chosen fields and names the next one.
function chosen(form: HTMLFormElement): void {
  const fields = all('fieldset.cf', form);
  const left = fields.filter((one) => !one.querySelector('input:checked'));
  the<HTMLButtonElement>('.savebar .primary', form).disabled = left.length > 0;
  const next = left[0]?.querySelector('h2')?.textContent.toLowerCase();
  the('[data-chosen]', form).textContent =
    fields.length === 0
      ? ''
      : `${fields.length - left.length} of ${fields.length} fields chosen.${next ? ` Choose a version of: ${next}.` : ''}`;
}
each<HTMLFormElement>('.conflict-form', (form) => {
  for (const button of all('[data-use-all]', form)) button.hidden = false;
  chosen(form);
});
document.addEventListener('change', ({ target }) => {
  const form = around<HTMLFormElement>(target, '.conflict-form');
  if (!form) return;
  chosen(form);
  const field = isField(target) && target.dataset.side === 'both' && fieldOf(form, `both-${target.name}`);
  if (field instanceof HTMLTextAreaElement) enrich(field, { send: () => form.requestSubmit() }).then((rich) => (rich ?? field).focus());
});
document.addEventListener('click', ({ target }) => {
  const button = around(target, '[data-use-all]');
  const form = button?.closest('form');
  if (!button || !form) return;
  for (const one of all<HTMLInputElement>(`input[data-side="${button.dataset.useAll}"]`, form)) one.checked = true;
  chosen(form);
});
document.addEventListener('keydown', (event) => {
  const form = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && document.querySelector<HTMLFormElement>('.conflict-form');
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});
