// Saves the note while typing and before other forms about it are sent.
import { editNote } from './notesEditor.ts';
import { showHints } from './notesForm.ts';
import { opened, Saver } from './notesSave.ts';
import { the } from './shared.ts';

showHints();

const form = document.querySelector<HTMLFormElement>('#note-form:not([data-kind=encrypted])');
if (form) {
  const editor = editNote(the<HTMLTextAreaElement>('#note-html'));
  const saver = new Saver(form, editor);
  opened.saver = saver;
  // After a conflict or refusal the typed text is stored nowhere.
  if (document.querySelector('.sides .writing, .notes-one > [role=alert]')) saver.base.html = null;
  saver.offer();
  if (form.dataset.kind === 'new') editor.focus();
}

// Other forms wait until the text is saved; otherwise it would be lost or conflict.
document.addEventListener(
  'submit',
  async (event) => {
    const { saver } = opened;
    const { target, submitter } = event;
    if (!saver?.dirty || !(target instanceof HTMLFormElement) || target === saver.form) return;
    if (target.method !== 'post' || !target.closest('.notes-one')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (await saver.flush()) target.requestSubmit(submitter);
  },
  true,
);
