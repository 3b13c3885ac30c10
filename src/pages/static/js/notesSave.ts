// Saves a text while typing. Unsaved text is kept in the browser; changes by others are shown next to it (behaviour §29.2 to §29.4).
import { dropDraft, findDraft, type KeptDraft, keepDraft } from './notesDrafts.ts';
import type { NoteText } from './notesEditor.ts';
import { addressOf, adoptNote, reloadLink, renewForms, showState, showTitle, type Version } from './notesForm.ts';
import * as view from './notesMessages.ts';
import { fieldOf, fieldValue, messageOf, setValue, the } from './shared.ts';

const QUIET_MS = 1_000;
const DRAFT_MS = 250;
const RETRY_MS = [3_000, 10_000, 30_000];
const LONGEST_RETRY_MS = 60_000;
/** Browsers limit requests of a closing page to 64 KiB. */
const LEAVING_BYTES = 60_000;
const BUSY = 'Not saved: the server is busy. It will be retried.';

interface Text {
  html: string;
  folderId: string;
}

/** Another text or folder that the server has. */
interface Stored extends Version {
  folderId: number | string;
  html?: string;
  cipher?: string;
}

/** The answer of an autosave. */
interface Answer extends Version {
  at: string;
  gone?: boolean;
  stored?: Stored;
  problem?: string;
}

interface Cipher {
  /** Encrypts the text of an encrypted note. */
  seal?: (html: string) => Promise<string>;
  /** Decrypts it. */
  open?: (cipher: string) => Promise<string>;
}

/** The saver of the open note. */
export const opened: { saver: Saver | null } = { saver: null };

const isBusy = ({ status }: Response): boolean => status === 429 || status >= 500;

export class Saver {
  readonly form: HTMLFormElement;
  readonly editor: NoteText;
  readonly #seal: Cipher['seal'];
  readonly #open: Cipher['open'];
  /** The text and folder that the server has. The text is null if it is unknown. */
  base: { html: string | null; folderId: string };
  /** Until the note exists, retries send its first text: another text would create a second note. */
  #first: Text | null = null;
  /** Texts that were sent since the last answer. */
  #sent: string[] = [];
  #saving: Promise<boolean> | null = null;
  #conflict: HTMLElement | null = null;
  #tries = 0;
  #failed = false;
  #kept = false;
  #slot = '';
  /** The search for an earlier draft. */
  #looked: Promise<KeptDraft | null> | undefined;
  #timer = 0;
  #draftTimer = 0;

  constructor(form: HTMLFormElement, editor: NoteText, { seal, open }: Cipher = {}) {
    this.form = form;
    this.editor = editor;
    this.#seal = seal;
    this.#open = open;
    this.base = this.#text;
    editor.area.addEventListener('input', () => this.#changed());
    fieldOf(form, 'folderId')?.addEventListener('change', () => this.#changed());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.flush();
    });
    the('.foot .btn', form).textContent = this.kind === 'encrypted' ? 'Encrypt and save' : 'Save';
    addEventListener('online', () => this.dirty && this.flush());
    addEventListener('pagehide', () => this.#leave());
    document.addEventListener('visibilitychange', () => document.hidden && this.#leave());
    addEventListener('beforeunload', (event) => this.dirty && !this.#kept && event.preventDefault());
  }

  get kind(): string | undefined {
    return this.form.dataset.kind;
  }
  get folderId(): string {
    return fieldValue(this.form, 'folderId');
  }
  get dirty(): boolean {
    return this.editor.html !== this.base.html || this.folderId !== this.base.folderId;
  }
  get revision(): string {
    return fieldValue(this.form, 'revision');
  }
  get #text(): Text {
    return { html: this.editor.html, folderId: this.folderId };
  }
  /** Until a new note exists, its first text is sent again. */
  get #textToSend(): Text {
    return (this.kind === 'new' && this.#first) || this.#text;
  }

  #changed(): void {
    this.#kept = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#draftTimer);
    if (!this.#conflict) showState(this.form, this.dirty ? 'Not saved yet' : '');
    if (!this.dirty) {
      this.#drop();
      return;
    }
    this.#draftTimer = window.setTimeout(() => this.#keep(), DRAFT_MS);
    if (!this.#conflict) this.#timer = window.setTimeout(() => this.flush(), QUIET_MS);
  }

  /** Locked notes are not kept: they would be readable without the password. */
  async #keep(): Promise<void> {
    await this.#looked;
    const { html } = this.editor;
    const { folderId, revision, kind } = this;
    const { note } = this.form.dataset;
    if (!this.dirty || kind === 'locked' || (kind === 'encrypted' && !this.#failed)) return;
    const once = fieldOf(this.form, '_once')?.value;
    const draft = this.#seal ? { cipher: await this.#seal(html), revision } : { html, folderId, revision, once };
    const wanted = () => this.dirty && this.form.dataset.note === note;
    this.#kept = (await keepDraft(this.form.dataset, draft, { slot: this.#slot, wanted })) && html === this.editor.html;
  }

  async #drop(place = { ...this.form.dataset }): Promise<void> {
    await this.#looked;
    dropDraft(place, this.#slot);
  }

  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#conflict) return false;
    while (this.dirty || this.#saving) {
      this.#saving ??= this.#save().finally(() => {
        this.#saving = null;
      });
      if (!(await this.#saving)) return false;
    }
    return true;
  }

  async #save(): Promise<boolean> {
    const isNew = this.kind === 'new';
    const text = this.#textToSend;
    if (isNew) this.#first = text;
    showState(this.form, 'Saving…');
    try {
      const body = await this.#bodyOf(text);
      this.#sent.push(text.html);
      const answer = await fetch(addressOf(this.form), { method: 'POST', body, redirect: isNew ? 'follow' : 'manual' });
      return await (isNew ? this.#created(answer, text) : this.#answered(answer, text));
    } catch (error) {
      if (error instanceof TypeError) return this.#later('Not saved: no connection.');
      return this.#stay(`Not saved: ${messageOf(error)}`);
    }
  }

  async #bodyOf({ html, folderId }: Text): Promise<FormData> {
    const body = new FormData();
    for (const name of ['_csrf', 'revision', 'opened', ...(this.kind === 'new' ? ['_once'] : [])]) {
      const field = fieldOf(this.form, name);
      if (field) body.set(name, field.value);
    }
    body.set('folderId', folderId);
    if (this.#seal) body.set('cipher', await this.#seal(html));
    else body.set('html', html);
    return body;
  }

  async #answered(answer: Response, text: Text): Promise<boolean> {
    if (answer.type === 'opaqueredirect') return this.#signedOut();
    if (isBusy(answer)) return this.#later(BUSY);
    if (!/json/.test(answer.headers.get('content-type') ?? ''))
      return this.#stay('Not saved: this page is out of date.', reloadLink('Reload'));
    const found: Answer = await answer.json();
    if (found.gone) return this.#gone();
    if (found.stored) return this.#moved(found.stored, text);
    if (found.problem) return this.#stay(`Not saved: ${found.problem}`);
    this.#saved(found, text);
    return true;
  }

  async #created(answer: Response, text: Text): Promise<boolean> {
    if (/\/sign-in$/.test(new URL(answer.url).pathname)) return this.#signedOut();
    if (isBusy(answer)) return this.#later(BUSY);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const theirs = page.getElementById('note-form');
    if (!answer.ok || !theirs) return this.#stay(`Not saved: ${page.querySelector('main [role=alert]')?.textContent ?? 'try again.'}`);
    this.#drop();
    this.#first = null;
    adoptNote(this.form, page, theirs, answer.url);
    this.#saved({ revision: this.revision, at: '' }, text);
    return true;
  }

  #saved({ revision, opened, at }: Answer, text: Text): void {
    this.#failed = false;
    this.#tries = 0;
    this.#sent = [];
    this.renew({ revision, opened });
    this.#storedIs(text, `Saved${at ? ` ${at}` : ''}`);
    const { title } = this.editor;
    if (this.kind !== 'encrypted' && title !== null) showTitle(this.form, title || 'Note without text');
  }

  /** `text` is what the server has. If it is also what the editor has, the draft is deleted. */
  #storedIs(text: Text, state = 'Saved'): void {
    this.base = text;
    showState(this.form, this.dirty ? 'Not saved yet' : state);
    if (!this.dirty) this.#drop();
  }

  renew(version: Version): void {
    renewForms(this.form, version);
  }

  #signedOut(): Promise<boolean> {
    return this.#stay('Not saved: you are signed out.', reloadLink('Sign in again'));
  }

  async #stay(text: string, link?: Node): Promise<boolean> {
    this.#failed = true;
    await this.#keep();
    showState(this.form, this.#kept ? `${text} Your text is kept in this browser.` : text, { wrong: true, link });
    return false;
  }

  async #later(text: string): Promise<boolean> {
    const wait = RETRY_MS[this.#tries++] ?? LONGEST_RETRY_MS;
    await this.#stay(text);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.flush(), wait);
    return false;
  }

  /** The note was deleted or its protection changed: offers to save the text as a new note. */
  #gone(): Promise<boolean> {
    const button = view.button('Save as new note', async () => {
      const place = { ...this.form.dataset, kind: 'new', note: 'new' };
      const to = `${location.pathname.replace(/\/\d+$/, '')}/new`;
      await keepDraft(place, { html: this.editor.html, folderId: '0', revision: '' });
      this.#drop();
      this.base = this.#text;
      location.assign(to);
    });
    return this.#stay('Not saved: the note was deleted, locked or encrypted.', this.kind === 'plain' ? button : undefined);
  }

  async #moved(stored: Stored, text: Text): Promise<boolean> {
    const found = stored.cipher ? await this.#open?.(stored.cipher) : stored.html;
    if (found === undefined) return this.#gone();
    // As the field has it.
    const theirs = found.replace(/\r\n?/g, '\n');
    // No conflict: our own text was stored but its answer was lost, or only the folder changed.
    if (this.#sent.includes(theirs) || theirs === this.base.html) {
      if (this.folderId === this.base.folderId) setValue(this.form, 'folderId', String(stored.folderId));
      this.renew(stored);
      this.#sent = [text.html];
      this.#storedIs({ html: theirs, folderId: String(stored.folderId) });
      return true;
    }
    this.ask(theirs, stored);
    return false;
  }

  /** Shows both texts, and asks which one to save. */
  ask(theirs: string, stored: Stored): void {
    this.#conflict?.remove();
    const settle = (html?: string) => {
      this.#conflict?.remove();
      this.#conflict = null;
      this.renew(stored);
      if (html !== undefined) this.editor.replace(html);
      this.#storedIs({ html: theirs, folderId: String(stored.folderId) });
      this.flush();
      this.editor.focus();
    };
    this.#conflict = view.conflict({ theirs, both: () => `${this.editor.html}<hr>${theirs}`, settle });
    this.editor.box.append(this.#conflict);
    this.editor.box.classList.add('sides');
    showState(this.form, 'Not saved: changed elsewhere.', { wrong: true });
    this.#keep();
  }

  /** Does not wait for the answer. The draft is deleted on the next visit, if the text is stored. */
  #leave(): void {
    if (!this.dirty || this.#conflict || this.#saving || this.#seal) return;
    const text = this.#textToSend;
    if (new Blob([text.html]).size > LEAVING_BYTES) return;
    if (!document.hidden) {
      this.#bodyOf(text).then((body) =>
        fetch(addressOf(this.form), { method: 'POST', body, keepalive: true, redirect: 'manual' }).catch(() => {}),
      );
    } else this.flush();
  }

  /** Offers the draft of an earlier visit. */
  async offer(): Promise<void> {
    this.#looked = findDraft(this.form.dataset);
    const draft = await this.#looked;
    if (!draft) return;
    // The offered draft stays where it is until the user decides; own drafts go to the other slot.
    if (!draft.slot) this.#slot = '+';
    const html = draft.cipher ? await this.#open?.(draft.cipher).catch(() => undefined) : draft.html;
    if (html === undefined) return;
    const forget = () => {
      box.remove();
      dropDraft(this.form.dataset, draft.slot);
    };
    const bring = () => {
      forget();
      if (draft.once) setValue(this.form, '_once', draft.once);
      const theirs = this.editor.html;
      this.editor.replace(html);
      this.editor.focus();
      if (draft.folderId) setValue(this.form, 'folderId', draft.folderId);
      if (draft.revision === this.revision || theirs === '') this.flush();
      else this.ask(theirs, { revision: this.revision, folderId: this.base.folderId });
    };
    const box = view.offer({ at: draft.at, bring, forget });
    if (html === this.base.html) forget();
    else this.editor.box.before(box);
  }
}
