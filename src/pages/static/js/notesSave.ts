// Saves a text while typing. Unsaved text is kept in the browser; changes by others are shown next to it (behaviour §29.2 to §29.4).
import { dropDraft, findDraft, keepDraft } from './notesDrafts.ts';
import * as view from './notesMessages.ts';
import { make } from './shared.ts';

const QUIET_MS = 1_000;
const DRAFT_MS = 250;
const RETRY_MS = [3_000, 10_000, 30_000, 60_000];
/** Browsers limit requests of a closing page to 64 KiB. */
const LEAVING_BYTES = 60_000;

interface Text {
  html: string | null;
  folderId: string;
}

/** The saver of the open note. */
export const opened: { saver: Saver | null } = { saver: null };

/** Hints that are hidden without script. */
export function showHints() {
  for (const hint of document.querySelectorAll('[data-by-script]')) hint.hidden = false;
}

export class Saver {
  declare form: HTMLFormElement;
  declare editor: any;
  /** Encrypts the text of an encrypted note. */
  declare seal: ((html: string) => Promise<string>) | undefined;
  /** Decrypts it. */
  declare open: ((cipher: string) => Promise<string>) | undefined;
  /** The text and folder that the server has. */
  declare base: Text;
  /** Until the note exists, retries send its first text: another text would create a second note. */
  declare first: Text | null;
  /** Texts that were sent since the last answer. */
  declare sent: string[];
  declare saving: Promise<boolean> | null;
  declare conflict: HTMLElement | null;
  declare tries: number;
  declare failed: number;
  declare kept: boolean;
  declare slot: string;
  /** The search for an earlier draft. */
  declare looked: Promise<any> | undefined;
  declare timer: number;
  declare draftTimer: number;
  constructor(form: HTMLFormElement, editor, { seal, open }: Pick<Saver, 'seal' | 'open'> | Record<string, undefined> = {}) {
    Object.assign(this, { form, editor, seal, open, tries: 0, sent: [], saving: null, conflict: null, slot: '' });
    this.base = { html: editor.html, folderId: this.folderId };
    editor.area.addEventListener('input', () => this.changed());
    form.elements.folderId.addEventListener('change', () => this.changed());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.flush();
    });
    form.querySelector('.foot .btn').textContent = form.dataset.kind === 'encrypted' ? 'Encrypt and save' : 'Save';
    addEventListener('online', () => this.dirty && this.flush());
    addEventListener('pagehide', () => this.leave());
    document.addEventListener('visibilitychange', () => document.hidden && this.leave());
    addEventListener('beforeunload', (event) => this.dirty && !this.kept && event.preventDefault());
  }

  get kind() {
    return this.form.dataset.kind;
  }
  get folderId() {
    return this.form.elements.folderId.value;
  }
  get dirty() {
    return this.editor.html !== this.base.html || this.folderId !== this.base.folderId;
  }
  get revision() {
    return this.form.elements.revision?.value ?? '';
  }

  say(text: string, { wrong = false, link }: { wrong?: boolean; link?: Node } = {}) {
    const line = this.form.querySelector('[data-state]');
    line.replaceChildren(text, ...(link ? [' ', link] : []));
    line.classList.toggle('wrong', wrong);
    // Only errors are announced; an announcement at every pause would disturb.
    if (wrong) line.setAttribute('role', 'alert');
    else line.removeAttribute('role');
  }

  changed() {
    this.kept = false;
    clearTimeout(this.timer);
    clearTimeout(this.draftTimer);
    if (!this.conflict) this.say(this.dirty ? 'Not saved yet' : '');
    if (!this.dirty) {
      this.drop();
      return;
    }
    this.draftTimer = setTimeout(() => this.keep(), DRAFT_MS);
    if (!this.conflict) this.timer = setTimeout(() => this.flush(), QUIET_MS);
  }

  /** Locked notes are not kept: they would be readable without the password. */
  async keep() {
    await this.looked;
    const { html } = this.editor;
    const { folderId, revision, kind } = this;
    const { note } = this.form.dataset;
    if (!this.dirty || kind === 'locked' || (kind === 'encrypted' && !this.failed)) return;
    const once = this.form.elements._once?.value;
    const draft = kind === 'encrypted' ? { cipher: await this.seal(html), revision } : { html, folderId, revision, once };
    const wanted = () => this.dirty && this.form.dataset.note === note;
    this.kept = (await keepDraft(this.form.dataset, draft, { slot: this.slot, wanted })) && html === this.editor.html;
  }

  async drop(place = { ...this.form.dataset }) {
    await this.looked;
    dropDraft(place, this.slot);
  }

  async flush() {
    clearTimeout(this.timer);
    if (this.conflict) return false;
    while (this.dirty || this.saving) {
      this.saving ??= this.save().finally(() => {
        this.saving = null;
      });
      if (!(await this.saving)) return false;
    }
    return true;
  }

  async save() {
    // Send the same text again until a new note exists; another text would create a second note.
    const text = (this.kind === 'new' && this.first) || { html: this.editor.html, folderId: this.folderId };
    if (this.kind === 'new') this.first = text;
    this.say('Saving…');
    try {
      const body = await this.bodyOf(text);
      this.sent.push(text.html);
      const answer = await fetch(this.address, { method: 'POST', body, redirect: this.kind === 'new' ? 'follow' : 'manual' });
      return await (this.kind === 'new' ? this.created(answer, text) : this.answered(answer, text));
    } catch (error) {
      if (error instanceof TypeError) return this.later('Not saved: no connection.');
      return this.stay(`Not saved: ${error.message}`);
    }
  }

  get address() {
    const { action } = this.form.attributes;
    if (this.kind === 'new') return action.value;
    const { pathname } = new URL(action.value, location.href);
    return `${pathname.replace(/\/encrypt$/, '')}/autosave`;
  }

  async bodyOf({ html, folderId }) {
    const body = new FormData();
    const names = ['_csrf', 'revision', 'opened', ...(this.kind === 'new' ? ['_once'] : [])];
    for (const name of names) if (this.form.elements[name]) body.set(name, this.form.elements[name].value);
    body.set('folderId', folderId);
    if (this.seal) body.set('cipher', await this.seal(html));
    else body.set('html', html);
    return body;
  }

  async answered(answer, text) {
    if (answer.type === 'opaqueredirect') return this.signedOut();
    if (answer.status === 429 || answer.status >= 500) return this.later('Not saved: the server is busy. It will be retried.');
    if (!/json/.test(answer.headers.get('content-type') ?? ''))
      return this.stay('Not saved: this page is out of date.', this.reload('Reload'));
    const told = await answer.json();
    if (told.gone) return this.gone();
    if (told.stored) return this.moved(told.stored, text);
    if (told.problem) return this.stay(`Not saved: ${told.problem}`);
    this.saved(told, text);
    return true;
  }

  /** After creating a note, the page becomes the page of that note. */
  async created(answer, text) {
    const path = new URL(answer.url).pathname;
    if (/\/sign-in$/.test(path)) return this.signedOut();
    if (answer.status === 429 || answer.status >= 500) return this.later('Not saved: the server is busy. It will be retried.');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const theirs = page.getElementById('note-form');
    if (!answer.ok || !theirs) return this.stay(`Not saved: ${page.querySelector('main [role=alert]')?.textContent ?? 'try again.'}`);
    this.drop();
    this.first = null;
    Object.assign(this.form.dataset, theirs.dataset);
    this.form.setAttribute('action', theirs.getAttribute('action'));
    this.form.elements._once.remove();
    this.form.prepend(...theirs.querySelectorAll('input[name=revision]'));
    for (const id of ['notes-list', 'about']) document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
    history.replaceState(null, '', answer.url.replace(/([?&])notice=\w+&?/, '$1').replace(/[?&]$/, ''));
    showHints();
    this.saved({ revision: this.revision, at: '' }, text);
    return true;
  }

  saved({ revision, opened, at }: { revision: string; opened?: string; at: string }, text: Text) {
    this.failed = this.tries = 0;
    this.sent = [];
    this.renew({ revision, opened });
    this.storedIs(text, `Saved${at ? ` ${at}` : ''}`);
    this.named();
  }

  /** `text` is what the server has. If it is also what the editor has, the draft is deleted. */
  storedIs(text, told = 'Saved') {
    this.base = text;
    this.say(this.dirty ? 'Not saved yet' : told);
    if (!this.dirty) this.drop();
  }

  renew({ revision, opened }: { revision: string; opened?: string }) {
    for (const [name, value] of Object.entries({ revision, opened })) {
      if (value === undefined) continue;
      for (const field of document.querySelectorAll(`.notes-one input[name=${name}]`)) field.value = value;
    }
    document.querySelector(`[data-note="${this.form.dataset.note}"]`)?.setAttribute('data-revision', revision);
  }

  named() {
    if (this.kind === 'encrypted' || this.editor.title === null) return;
    const title = this.editor.title || 'Note without text';
    document.querySelector('#head h1').textContent = title;
    document.title = `${title} · Stint`;
    const link = document.querySelector(`li[data-note="${this.form.dataset.note}"] .t`);
    if (link && this.kind === 'plain') link.textContent = title;
  }

  reload(label) {
    return make('a', { href: location.pathname + location.search }, label);
  }

  signedOut() {
    return this.stay('Not saved: you are signed out.', this.reload('Sign in again'));
  }

  async stay(text: string, link?: Node) {
    this.failed = 1;
    await this.keep();
    this.say(this.kept ? `${text} Your text is kept in this browser.` : text, { wrong: true, link });
    return false;
  }

  async later(text) {
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    await this.stay(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait);
    return false;
  }

  /** The note was deleted or its protection changed: offers to save the text as a new note. */
  gone() {
    const make = view.button('Save as new note', () => {
      const place = { ...this.form.dataset, kind: 'new', note: 'new' };
      const to = `${location.pathname.replace(/\/\d+$/, '')}/new`;
      keepDraft(place, { html: this.editor.html, folderId: '0', revision: '' }).then(() => {
        this.drop();
        this.base = { html: this.editor.html, folderId: this.folderId };
        location.assign(to);
      });
    });
    return this.stay('Not saved: the note was deleted, locked or encrypted.', this.kind === 'plain' ? make : undefined);
  }

  async moved(stored, text) {
    // As the field has it.
    const theirs = (stored.cipher ? await this.open(stored.cipher) : stored.html).replace(/\r\n?/g, '\n');
    // No conflict: our own text was stored but its answer was lost, or only the folder changed.
    if (this.sent.includes(theirs) || theirs === this.base.html) {
      const select = this.form.elements.folderId;
      if (select.value === this.base.folderId) select.value = stored.folderId;
      this.renew(stored);
      this.sent = [text.html];
      this.storedIs({ html: theirs, folderId: String(stored.folderId) });
      return true;
    }
    this.ask(theirs, stored);
    return false;
  }

  ask(theirs, stored) {
    this.conflict?.remove();
    const settle = (html) => {
      this.conflict.remove();
      this.conflict = null;
      this.renew(stored);
      if (html !== undefined) this.editor.replace(html);
      this.storedIs({ html: theirs, folderId: String(stored.folderId) });
      this.flush();
      this.editor.focus();
    };
    this.conflict = view.conflict({ theirs, both: () => `${this.editor.html}<hr>${theirs}`, settle });
    this.editor.box.append(this.conflict);
    this.editor.box.classList.add('sides');
    this.say('Not saved: changed elsewhere.', { wrong: true });
    this.keep();
  }

  /** Does not wait for the answer. The draft is deleted on the next visit, if the text is stored. */
  leave() {
    if (!this.dirty || this.conflict || this.saving || this.seal) return;
    const text = (this.kind === 'new' && this.first) || { html: this.editor.html, folderId: this.folderId };
    if (new Blob([text.html]).size > LEAVING_BYTES) return;
    if (!document.hidden) {
      this.bodyOf(text).then((body) => fetch(this.address, { method: 'POST', body, keepalive: true, redirect: 'manual' }).catch(() => {}));
    } else this.flush();
  }

  async offer() {
    this.looked = findDraft(this.form.dataset);
    const draft = await this.looked;
    // The offered draft stays where it is until the user decides; own drafts go to the other slot.
    if (draft && !draft.slot) this.slot = '+';
    if (!draft) return;
    const html = draft.cipher ? await this.open(draft.cipher).catch(() => null) : draft.html;
    const decided = () => {
      box.remove();
      dropDraft(this.form.dataset, draft.slot);
    };
    const bring = () => {
      decided();
      if (draft.once && this.form.elements._once) this.form.elements._once.value = draft.once;
      const theirs = this.editor.html;
      this.editor.replace(html);
      this.editor.focus();
      if (draft.folderId) this.form.elements.folderId.value = draft.folderId;
      if (draft.revision === this.revision || theirs === '') this.flush();
      else this.ask(theirs, { revision: this.revision, folderId: this.base.folderId });
    };
    const box = view.offer({ at: draft.at, bring, forget: decided });
    if (html === this.base.html) decided();
    else if (html !== null) this.editor.box.before(box);
  }
}
