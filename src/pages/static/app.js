// Improvements over pages that work without it: confirmation, copying, and the running timer's clock.
for (const form of document.querySelectorAll('form[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.confirmed) return;
    event.preventDefault();
    const dialog = document.createElement('dialog');
    const article = document.createElement('article');
    const text = document.createElement('p');
    text.textContent = form.dataset.confirm;
    const footer = document.createElement('footer');
    const no = document.createElement('button');
    no.textContent = 'Cancel';
    no.className = 'secondary';
    const yes = document.createElement('button');
    yes.textContent = event.submitter?.textContent || 'Continue';
    footer.append(no, yes);
    article.append(text, footer);
    dialog.append(article);
    document.body.append(dialog);
    no.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    yes.addEventListener('click', () => {
      form.dataset.confirmed = 'yes';
      form.requestSubmit(event.submitter || undefined);
    });
    dialog.showModal();
  });
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

// One form, one submission; a download leaves the page as it is and may be asked for again.
for (const form of document.querySelectorAll('form[method="post"]:not([data-many])')) {
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
