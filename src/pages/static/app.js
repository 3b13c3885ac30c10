// Improvements over pages that work without it: questions in a dialog, copying, the running timer's clock, the browser's timezone.

// A question is also a field of its form, for when this script is not there: what has been asked here is taken out of the form.
function ask(form, submitter) {
  const dialog = document.createElement('dialog');
  const article = document.createElement('article');
  const text = document.createElement('p');
  text.id = 'question';
  text.textContent = form.dataset.confirm;
  dialog.setAttribute('aria-labelledby', 'question');
  const footer = document.createElement('footer');
  const no = document.createElement('button');
  no.textContent = 'Cancel';
  no.className = 'secondary';
  const yes = document.createElement('button');
  yes.textContent = submitter?.textContent || 'Continue';
  footer.append(no, yes);
  article.append(text, footer);
  dialog.append(article);
  document.body.append(dialog);
  no.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  yes.addEventListener('click', () => {
    form.querySelector('input[name="_ask"]')?.remove();
    form.dataset.asked = 'yes';
    dialog.close();
    form.requestSubmit(submitter || undefined);
  });
  dialog.showModal();
}

// One form, one submission; a download leaves the page as it is and may be asked for again. Listened to on the document, so that
// forms put in later count too, and after what a page's own script has to say.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== 'post') return;
  if (form.dataset.confirm && !form.dataset.asked) {
    event.preventDefault();
    ask(form, event.submitter);
  } else if (!('many' in form.dataset)) {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  }
});

for (const select of document.querySelectorAll('select[data-own-zone]')) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = 'Copied';
  });
}

for (const clock of document.querySelectorAll('time[data-since]')) {
  const since = Date.parse(clock.dataset.since);
  const tick = () => {
    const minutes = Math.max(0, Math.floor((Date.now() - since) / 60000));
    clock.textContent = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  };
  tick();
  setInterval(tick, 15000);
}

// People are offered while a mention is typed: after @, those whose name goes on like that. They are buttons behind the field, which Tab reaches.
for (const field of document.querySelectorAll('textarea[data-mentions]')) {
  const source = document.getElementById(field.dataset.mentions);
  if (!source) continue;
  const names = [...source.querySelectorAll('code')].map((code) => code.textContent.slice(1));
  const offer = document.createElement('div');
  offer.className = 'actions';
  offer.setAttribute('role', 'group');
  offer.setAttribute('aria-label', 'People to mention');
  offer.setAttribute('aria-live', 'polite');
  field.after(offer);
  const begun = () => /(?:^|[^\p{L}\p{N}_])@([^\n@]{0,60})$/u.exec(field.value.slice(0, field.selectionStart))?.[1];
  const choose = (name) => {
    const at = field.selectionStart;
    field.setRangeText(`${name} `, at - begun().length, at, 'end');
    offer.replaceChildren();
    field.focus();
  };
  field.addEventListener('input', () => {
    const typed = begun()?.toLowerCase();
    const found = typed === undefined ? [] : names.filter((name) => name.toLowerCase().startsWith(typed)).slice(0, 6);
    offer.replaceChildren(
      ...found.map((name) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'secondary outline';
        button.textContent = name;
        button.addEventListener('click', () => choose(name));
        return button;
      }),
    );
  });
  offer.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    offer.replaceChildren();
    field.focus();
  });
}

// A page from before signing out must not come back out of the browser's memory.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
