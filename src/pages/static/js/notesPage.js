// The page of a note: its text is saved while it is written, and before anything else about the note is sent.
(() => {
  stint.notes.shown = () => {
    for (const hint of document.querySelectorAll('[data-by-script]')) hint.hidden = false;
  };
  stint.notes.shown();

  const form = document.querySelector('#note-form:not([data-kind=encrypted])');
  if (form) {
    const editor = stint.notes.edit(document.getElementById('note-html'));
    stint.notes.saver = new stint.notes.Saver(form, editor);
    // The page of a conflict, or of a refused text: what is typed there is stored nowhere.
    if (document.querySelector('.sides .writing, .notes-one > [role=alert]')) stint.notes.saver.base.html = null;
    stint.notes.saver.offer();
    if (form.dataset.kind === 'new') editor.surface.focus();
  }

  // Whatever else is sent about the note comes after what is typed in it: it would be lost, or be in the way of it.
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
