// Encrypted notes. Text and passphrase fields have no name, so that only ciphertext is sent.
import { decrypt, encrypt } from './notesCipher.ts';
import { dropDraft } from './notesDrafts.ts';
import { editNote } from './notesEditor.ts';
import { opened, Saver } from './notesSave.ts';
import { all, each, messageOf, setValue, the } from './shared.ts';

const passphraseIn = (form: HTMLFormElement) => the<HTMLInputElement>('[data-passphrase]', form).value;

/** Runs `work` instead of sending the form, and shows its error in the form. */
function instead(form: HTMLFormElement, work: () => Promise<void>): void {
  const problem = the('[data-problem]', form);
  const button = the<HTMLButtonElement>('button:not([type=button])', form);
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
      problem.textContent = messageOf(error);
      problem.hidden = false;
    }
    button.disabled = false;
    button.removeAttribute('aria-busy');
  });
}

for (const said of all('[data-without-script]')) said.hidden = true;

// Encrypts a new or a readable note and deletes its readable draft.
const forms = new WeakSet<HTMLFormElement>();
each<HTMLFormElement>('form[data-encrypt]', (form) => {
  if (forms.has(form)) return;
  forms.add(form);
  const fresh = form.dataset.kind === 'secret';
  const editor = fresh ? editNote(the<HTMLTextAreaElement>(`#${form.dataset.encrypt}`)) : opened.saver?.editor;
  if (!editor) return;
  let sent = false;
  if (fresh) addEventListener('beforeunload', (event) => !sent && editor.html && event.preventDefault());
  instead(form, async () => {
    const first = passphraseIn(form);
    if (first !== the<HTMLInputElement>('[data-again]', form).value)
      throw new Error('The passphrases do not match. Type the same one twice.');
    setValue(form, 'cipher', await encrypt(editor.html, first, form.dataset));
    if (!fresh) dropDraft(form.dataset);
    sent = true;
    form.submit();
  });
});

for (const form of all<HTMLFormElement>('form[data-decrypt]')) {
  instead(form, async () => {
    const { dataset } = form;
    const passphrase = passphraseIn(form);
    const stored = await decrypt(dataset.cipher ?? '', passphrase, dataset);
    const shown = the('[data-decrypted]');
    const editor = editNote(the<HTMLTextAreaElement>('#secret-html'), stored);
    const seal = (html: string) => encrypt(html, passphrase, dataset);
    const open = (cipher: string) => decrypt(cipher, passphrase, dataset);
    const saver = new Saver(the('#note-form'), editor, { seal, open });
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

for (const form of all<HTMLFormElement>('form[data-give-up]')) {
  form.addEventListener('submit', () => {
    if (!opened.saver) return;
    setValue(form, 'html', opened.saver.editor.html);
    setValue(form, 'folderId', opened.saver.folderId);
  });
}
