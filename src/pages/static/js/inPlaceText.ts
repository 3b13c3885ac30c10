// Edits title and texts in place, ticks boxes, and loads the rich editor on first use.
import { dropDraft, findDraft } from './drafts.ts';
import { enrich, unrich } from './richEditor.ts';
import { each } from './shared.ts';

const fieldOf = (form) => form.querySelector('textarea[data-draft]');
const isOpen = (form) => form.hasAttribute('data-editing');

async function open(place) {
  const form = place.querySelector('form.edit-form');
  if (!form || isOpen(form)) return;
  const field = fieldOf(form);
  const draft = findDraft(field);
  if (draft) {
    field.value = draft.text;
    for (const name of ['version', 'marks']) if (form.elements[name]) form.elements[name].value = draft[name];
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
function close(form) {
  const field = fieldOf(form);
  unrich(field);
  form.reset();
  // `reset` leaves hidden fields as scripts set them.
  for (const name of ['version', 'marks']) if (form.elements[name]) form.elements[name].value = form.elements[name].defaultValue;
  dropDraft(field);
  form.removeAttribute('data-editing');
  form.closest('[data-in-place]')?.querySelector('.edit-here')?.focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (target.closest('[data-cancel]')) return close(target.closest('form'));
  const all = target.closest('[data-edit-all]');
  const places = [...document.querySelectorAll('[data-in-place]')];
  if (all && places.length > 0) {
    event.preventDefault();
    for (const place of places.filter((one) => ['title', 'description'].includes(one.dataset.inPlace)).reverse()) open(place);
    return;
  }
  const place = target.closest('[data-in-place]');
  if (!place || target.closest('form')) return;
  if (target.closest('[data-edit]')) event.preventDefault();
  else if (place.dataset.inPlace === 'comment') return;
  else if (target.closest('a, button, input, summary, [tabindex]') || !getSelection().isCollapsed) return;
  else if (!target.closest('.shown')) return;
  open(place);
});

document.addEventListener('keydown', (event) => {
  const form = event.target.closest?.('form.edit-form');
  if (!form || event.isComposing || event.defaultPrevented) return;
  const isLine = event.target.matches('[data-line]');
  if (event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    close(form);
  }
});
document.addEventListener('input', ({ target }) => {
  if (target.matches?.('[data-line]') && target.value.includes('\n')) target.value = target.value.replace(/\s*\n\s*/g, ' ');
});

// Before the new page is morphed in: a closed form is replaced, an open one stays.
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement.closest?.('form.edit-form');
  if (!form || !(ctx.response.status < 400)) return;
  unrich(fieldOf(form));
  form.reset();
  form.removeAttribute('data-editing');
});

// A box in the shown text is ticked in the source, at its line, and saved immediately.
document.addEventListener('change', ({ target }) => {
  const place = target.matches?.('input[data-task]') ? target.closest('[data-in-place]') : null;
  const form = place?.querySelector('form.edit-form');
  if (!form) return;
  const field = fieldOf(form);
  const lines = field.defaultValue.split('\n');
  lines[target.dataset.task] = lines[target.dataset.task].replace(/\[[ xX]\]/, target.checked ? '[x]' : '[ ]');
  field.value = lines.join('\n');
  target.defaultChecked = target.checked;
  form.requestSubmit();
});

each('[data-in-place]', (place) => {
  const form = place.querySelector('form.edit-form');
  place.querySelector('.edit-here')?.removeAttribute('hidden');
  for (const box of place.querySelectorAll('.shown input[data-task]')) box.disabled = false;
  const draft = findDraft(fieldOf(form));
  if (!draft || isOpen(form) || place.querySelector('.draft-line')) return;
  const line = document.createElement('p');
  line.className = 'draft-line meta';
  const more = document.createElement('button');
  more.type = 'button';
  more.className = 'btn small';
  more.textContent = 'Continue editing';
  more.addEventListener('click', () => open(place));
  const away = document.createElement('button');
  away.type = 'button';
  away.className = 'btn small quiet';
  away.textContent = 'Discard draft';
  away.addEventListener('click', () => {
    dropDraft(fieldOf(form));
    line.remove();
  });
  const at = new Date(draft.at).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  line.append(`You have an unsaved draft from ${at}.`, more, away);
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
  const all = document.createElement('button');
  all.type = 'button';
  all.className = 'show-all';
  all.textContent = `Show all ${lines} lines`;
  all.addEventListener('click', () => {
    text.classList.remove('clamped');
    text.dataset.clamp = 'open';
    all.remove();
  });
  text.after(all);
});

// Conflict page: counts the chosen fields and names the next one.
function chosen(form) {
  const told = form.querySelector('[data-chosen]');
  const all = [...form.querySelectorAll('fieldset.cf')];
  const left = all.filter((one) => !one.querySelector('input:checked'));
  form.querySelector('.savebar .primary').disabled = left.length > 0;
  const next = left[0]?.querySelector('h2').textContent.toLowerCase();
  told.textContent =
    all.length === 0 ? '' : `${all.length - left.length} of ${all.length} fields chosen.${next ? ` Choose a version of: ${next}.` : ''}`;
}
each('.conflict-form', (form) => {
  for (const button of form.querySelectorAll('[data-use-all]')) button.hidden = false;
  chosen(form);
});
document.addEventListener('change', ({ target }) => {
  const form = target.closest?.('.conflict-form');
  if (!form) return;
  chosen(form);
  const field = target.dataset.side === 'both' && form.elements[`both-${target.name}`];
  if (field) enrich(field, { send: () => form.requestSubmit() }).then((rich) => (rich ?? field).focus());
});
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-use-all]');
  if (!button) return;
  const form = button.closest('form');
  for (const one of form.querySelectorAll(`input[data-side="${button.dataset.useAll}"]`)) one.checked = true;
  chosen(form);
});
document.addEventListener('keydown', (event) => {
  const form = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && document.querySelector('.conflict-form');
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});
