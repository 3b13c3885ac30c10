// Saves the note while typing and before other forms about it are sent.
(() => {
  stint.notes.shown = () => {
    for (const hint of document.querySelectorAll('[data-by-script]')) hint.hidden = false;
  };
  stint.notes.shown();

  const form = document.querySelector('#note-form:not([data-kind=encrypted])');
  if (form) {
    const editor = stint.notes.edit(document.getElementById('note-html'));
    stint.notes.saver = new stint.notes.Saver(form, editor);
    // After a conflict or refusal the typed text is stored nowhere.
    if (document.querySelector('.sides .writing, .notes-one > [role=alert]')) stint.notes.saver.base.html = null;
    stint.notes.saver.offer();
    if (form.dataset.kind === 'new') editor.focus();
  }

  // Other forms wait until the text is saved; otherwise it would be lost or conflict.
  document.addEventListener(
    'submit',
    async (event) => {
      const { saver } = stint.notes;
      const { target, submitter } = event;
      if (!saver?.dirty || target === saver.form || target.method !== 'post' || !target.closest('.notes-one')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (await saver.flush()) target.requestSubmit(submitter);
    },
    true,
  );
})();
