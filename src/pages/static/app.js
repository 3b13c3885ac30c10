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

// A page from before signing out must not come back out of the browser's memory.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
