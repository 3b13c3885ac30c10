// Encrypted notes. Text and passphrase fields have no name, so that only ciphertext is sent.
import { decrypt, encrypt } from './notesCipher.ts';
import { dropDraft } from './notesDrafts.ts';
import { editNote } from './notesEditor.ts';
import { opened, Saver } from './notesSave.ts';
import { each, the } from './shared.ts';

/** Runs `work` instead of sending the form, and shows its error in the form. */
function instead(form, work) {
  const problem = form.querySelector('[data-problem]');
  const button = form.querySelector('button:not([type=button])');
  button.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    button.setAttribute('aria-busy', 'true');
    problem.hidden = true;
    try {
      await work();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    button.disabled = false;
    button.removeAttribute('aria-busy');
  });
}

for (const said of document.querySelectorAll('[data-without-script]')) said.hidden = true;

// Encrypts a new or a readable note and deletes its readable draft.
const forms = new WeakSet();
each('form[data-encrypt]', (form) => {
  if (forms.has(form)) return;
  forms.add(form);
  const fresh = form.dataset.kind === 'secret';
  const editor = fresh ? editNote(document.getElementById(form.dataset.encrypt)) : opened.saver.editor;
  let sent = false;
  if (fresh) addEventListener('beforeunload', (event) => !sent && editor.html && event.preventDefault());
  instead(form, async () => {
    const first = form.querySelector('[data-passphrase]').value;
    if (first !== form.querySelector('[data-again]').value) throw new Error('The passphrases do not match. Type the same one twice.');
    form.elements.cipher.value = await encrypt(editor.html, first, form.dataset);
    if (!fresh) dropDraft(form.dataset);
    sent = true;
    form.submit();
  });
});

for (const form of document.querySelectorAll('form[data-decrypt]')) {
  instead(form, async () => {
    const { dataset } = form;
    const passphrase = form.querySelector('[data-passphrase]').value;
    const stored = await decrypt(dataset.cipher, passphrase, dataset);
    const shown = document.querySelector('[data-decrypted]');
    const editor = editNote(document.getElementById('secret-html'), stored);
    const open = (cipher) => decrypt(cipher, passphrase, dataset);
    const saver = new Saver(the<HTMLFormElement>('#note-form'), editor, { seal: (html) => encrypt(html, passphrase, dataset), open });
    opened.saver = saver;
    shown.hidden = false;
    form.hidden = true;
    document.querySelector('[data-encrypted]')?.remove();
    if (dataset.mineHtml !== undefined) {
      const theirs = editor.html;
      editor.replace(dataset.mineHtml);
      saver.ask(theirs, { revision: saver.revision, folderId: saver.folderId });
    } else await saver.offer();
    editor.focus();
  });
}

for (const form of document.querySelectorAll('form[data-give-up]')) {
  form.addEventListener('submit', () => {
    form.elements.html.value = opened.saver.editor.html;
    form.elements.folderId.value = opened.saver.folderId;
  });
}
