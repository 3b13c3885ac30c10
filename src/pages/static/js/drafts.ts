// Texts that are not saved yet, in localStorage, by user and address: `textarea[data-draft]`. A draft has the version that it changes.
const PAUSE_MS = 500;
const DAYS = 30;
const PREFIX = 'stint-draft/';
const clocks = new Map();
const nameOf = (field) => `${PREFIX}${document.getElementById('head')?.dataset.user}${field.form.getAttribute('action')}#${field.name}`;
// Storage may be full or disabled.
const quietly = (work) => {
  try {
    return work();
  } catch {
    return null;
  }
};

function keep(field) {
  clocks.delete(field);
  if (!field.isConnected) return;
  const isSame = field.value === field.defaultValue;
  const { version, marks } = field.form.elements;
  const draft = { text: field.value, version: version?.value, marks: marks?.value, at: Date.now() };
  const kept = quietly(() => {
    if (isSame) localStorage.removeItem(nameOf(field));
    else localStorage.setItem(nameOf(field), JSON.stringify(draft));
    return true;
  });
  const told = field.form.querySelector('[data-draft-told]');
  if (told) told.textContent = isSame ? '' : kept ? 'Draft kept in this browser. Not saved for the team yet.' : 'Not saved yet.';
}

document.addEventListener('input', ({ target }) => {
  if (!target.matches?.('textarea[data-draft]')) return;
  clearTimeout(clocks.get(target));
  clocks.set(
    target,
    setTimeout(() => keep(target), PAUSE_MS),
  );
});
window.addEventListener('pagehide', () => {
  for (const field of clocks.keys()) keep(field);
});

export const dropDraft = (field) => {
  clearTimeout(clocks.get(field));
  clocks.delete(field);
  quietly(() => localStorage.removeItem(nameOf(field)));
};
// {text, version, marks, at}, or null. A draft that equals the text is not kept.
export function findDraft(field) {
  const draft = quietly(() => JSON.parse(localStorage.getItem(nameOf(field))));
  return draft && typeof draft.text === 'string' && draft.text !== field.defaultValue ? draft : null;
}

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement.closest?.('form');
  if (!form || ctx.request?.method === 'GET' || !(ctx.response.status < 400)) return;
  for (const field of form.querySelectorAll('textarea[data-draft]')) dropDraft(field);
});

quietly(() => {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(PREFIX)) continue;
    const { at = 0 } = JSON.parse(localStorage.getItem(name));
    if (Date.now() - at > DAYS * 86_400_000) localStorage.removeItem(name);
  }
});
