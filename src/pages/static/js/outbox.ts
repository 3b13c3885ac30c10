// Forms with data-queue whose request failed are kept in this browser for their user, and sent later with their first one-time id, so that
// the server carries them out once (behaviour §39.5). The id belongs to the session: after signing in again the user sends each by hand.
import { newOnce } from './questions.ts';
import { around, base, each, facts, fetchPage, make, setValue, showDialog, the } from './shared.ts';

type Encoding = 'multipart' | 'plain';
type Outcome = 'done' | 'later' | 'refused';

interface Entry {
  /** The one-time id of the form. */
  id: string;
  user: string;
  session: string;
  action: string;
  encoding: Encoding;
  fields: [string, string][];
  at: number;
  problem: string;
}

const RETRY_MS = 20_000;
const MOST = 50;
const LAST = `stint-last ${base}`;
/** The user who is signing out. */
const LEAVING = `stint-leaving ${base}`;
/** Tells the other pages of this browser that a form was kept, so that they need not poll the store. */
const pages = new BroadcastChannel(`stint-outbox ${base}`);

const settled = <T>(asking: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    asking.onsuccess = () => resolve(asking.result);
    asking.onerror = () => reject(asking.error);
  });
async function store<T>(work: (rows: IDBObjectStore) => IDBRequest<T>, mode: IDBTransactionMode = 'readwrite'): Promise<T> {
  const asking = indexedDB.open(`stint ${base}`, 1);
  asking.onupgradeneeded = () => asking.result.createObjectStore('outbox', { keyPath: 'id' });
  const db = await settled(asking);
  try {
    return await settled(work(db.transaction('outbox', mode).objectStore('outbox')));
  } finally {
    db.close();
  }
}
const stored = (): Promise<Entry[]> => store((rows) => rows.getAll(), 'readonly');
const all = async () => (await stored()).filter(({ user }) => user === facts().user).sort((a, b) => a.at - b.at);

const titleOf = (fields: Entry['fields']) => fields.find(([name]) => ['title', 'line', 'text', 'body'].includes(name))?.[1] ?? '';

// Returns false if the form can't be kept: it has files, is too large or has no one-time id, or the browser stores nothing.
export const keepForm = async (action: string, data: FormData, encoding: Encoding, { user, session } = facts()): Promise<boolean> => {
  const fields = [...data];
  const id = data.get('_once');
  if (!user || !session || !id || !fields.every((field) => typeof field[1] === 'string')) return false;
  try {
    const waiting = (await stored()).length;
    if (waiting >= MOST) return false;
    const { pathname } = new URL(action, location.href);
    await store((rows) => rows.put({ id, user, session, action: pathname, encoding, fields, at: Date.now(), problem: '' }));
    await show();
    pages.postMessage('kept');
    return true;
  } catch {
    return false;
  }
};

function bodyOf({ encoding, fields }: Entry): FormData | URLSearchParams {
  const csrf = document.querySelector<HTMLInputElement>('input[name="_csrf"]')?.value ?? '';
  const body = encoding === 'multipart' ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) body.append(name, name === '_csrf' ? csrf : value);
  return body;
}

// 'later': no connection, overloaded, or signed out.
async function sendOne(entry: Entry): Promise<Outcome> {
  const { answer, page } = await fetchPage(entry.action, { method: 'POST', body: bodyOf(entry) });
  if (answer.status >= 500 || answer.status === 429 || !page.getElementById('head')) return 'later';
  if (answer.ok && answer.redirected) return 'done';
  entry.problem =
    page.querySelector('[role="alert"]')?.textContent.trim() || 'This change needs a confirmation. Open the page and enter it again.';
  return 'refused';
}

async function send(chosen: string | null = null): Promise<unknown> {
  if (!facts().user || !navigator.onLine) return show();
  await navigator.locks?.request(`stint-outbox ${base}`, async () => {
    for (const entry of await all()) {
      const own = entry.session === facts().session;
      if (chosen ? chosen !== entry.id : entry.problem || !own) continue;
      const outcome = await sendOne(entry).catch((): Outcome => 'later');
      if (outcome === 'later') break;
      if (outcome === 'done') await store((rows) => rows.delete(entry.id));
      else await store((rows) => rows.put(entry));
    }
  });
  await show();
}

const button = (text: string, press: () => unknown) => {
  const made = make('button', { type: 'button', class: 'btn small' }, text);
  made.addEventListener('click', press);
  return made;
};

let box: HTMLElement | null = null;
async function show(): Promise<Entry[]> {
  const entries = facts().user ? await all().catch(() => []) : [];
  if (entries.length === 0) {
    box?.remove();
    box = null;
    return entries;
  }
  if (!box) {
    box = make('p', { class: 'outbox' }, make('span', { role: 'status' }), button('Show', list));
    document.body.append(box);
  }
  const text = `${navigator.onLine ? '' : 'Offline. '}${entries.length} ${entries.length === 1 ? 'change waits' : 'changes wait'}`;
  const told = the('span', box);
  if (told.textContent !== text) told.textContent = text;
  return entries;
}

async function list() {
  const rows = make('ul', { class: 'waiting' });
  const after = async (work: () => Promise<unknown>) => {
    await work();
    dialog.close();
  };
  for (const entry of await all()) {
    const why =
      entry.problem ||
      (entry.session === facts().session
        ? 'Sent when there is a connection.'
        : 'Written before you signed in again. Check that it does not exist yet, then send it.');
    rows.append(
      make(
        'li',
        {},
        make('b', {}, titleOf(entry.fields)),
        make('p', { class: 'hint' }, why),
        button('Send', () => after(() => send(entry.id))),
        button('Discard', () => after(() => store((kept) => kept.delete(entry.id)).then(show))),
      ),
    );
  }
  const dialog = showDialog('outbox-title', 'Waiting changes', make('div', { class: 'body' }, rows));
}

document.addEventListener('htmx:error', async ({ detail: { ctx, error } }) => {
  const form = around<HTMLFormElement>(ctx?.sourceElement ?? null, 'form[data-queue]');
  if (!form || ctx?.request?.method !== 'POST' || !(error instanceof TypeError)) return;
  if (!(await keepForm(form.action, new FormData(form, ctx.request.submitter), 'plain'))) return;
  document.querySelector('#notice .toast.fault')?.remove();
  form.dispatchEvent(new Event('stint:kept', { bubbles: true }));
  form.reset();
  setValue(form, '_once', newOnce());
});

// Signing out deletes the user's waiting forms (behaviour §40.8). The next page deletes them, because this page may close first.
document.addEventListener('submit', ({ target }) => {
  const { user } = facts();
  if (user && target instanceof Element && target.getAttribute('action')?.endsWith('/sign-out')) localStorage.setItem(LEAVING, user);
});
async function removeOf(user: string) {
  for (const entry of await stored()) if (entry.user === user) await store((rows) => rows.delete(entry.id));
}
const leaving = localStorage.getItem(LEAVING);
if (leaving && leaving !== facts().user) void removeOf(leaving).then(() => localStorage.removeItem(LEAVING));
else if (leaving) localStorage.removeItem(LEAVING);

// The last signed-in user, whose notes the offline page keeps. Signing out removes them.
const toAdd = document.querySelector<HTMLAnchorElement>('.tabbar a[href*="/new?"]')?.href;
const last = { user: facts().user, session: facts().session, in: /workspaces\/(\d+)\/new/.exec(toAdd ?? '')?.[1] ?? '' };
if (last.user) localStorage.setItem(LAST, JSON.stringify(last));
else if (document.querySelector('.gate') && !document.querySelector('[data-offline]')) localStorage.removeItem(LAST);
each<HTMLFormElement>('form[data-offline]', (form) => {
  const reader = JSON.parse(localStorage.getItem(LAST) ?? 'null');
  form.hidden = !reader;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    data.append('_csrf', '');
    data.append('in', reader.in);
    data.append('_once', newOnce());
    const kept = await keepForm(form.action, data, 'plain', reader);
    the('[role="status"]', form).textContent = kept
      ? 'Kept. It is sent when you open Stint with a connection.'
      : 'This browser can’t keep it. Copy the text.';
    if (kept) form.reset();
  });
});

addEventListener('online', () => send());
addEventListener('offline', () => void show());
pages.addEventListener('message', () => void show());
setInterval(() => box && send(), RETRY_MS);
if (facts().user) void show().then((entries) => entries.length > 0 && send());
navigator.serviceWorker?.register(`${base}/sw.js`, { scope: `${base}/` }).catch(() => {});
