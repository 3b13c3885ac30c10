// Shows the form of a new item as a dialog over any page. It sends the page's own form and reads the title as a quick line.
import { dress } from './composeChips.ts';
import { fillFrom, keepDraftNow, keepDraftSoon, storedDraft } from './composeDraft.ts';
import { dialog, form, title, where } from './composeForm.ts';
import { provideComposer } from './composeLinks.ts';
import { send } from './composeSend.ts';
import { forgetMarks, quoteLastWord, readTitle, showAgain } from './composeTitle.ts';
import { around, base, fetchPage, fieldValue, icon, isField, make, setValue, the } from './shared.ts';
import { showFault } from './toast.ts';

const AFTER_MS = 200;
let address = '';
let soon = 0;

// Files belong to an item, which does not exist yet.
function refuseFiles(event: Event, data: DataTransfer | null): void {
  if (!data?.types.includes('Files') || data.types.includes('text/plain')) return;
  event.preventDefault();
  if (event.type !== 'dragover') showFault('Create the item first. Then add files on its page.');
}

function sendBy(button: HTMLElement | null): void {
  clearTimeout(soon);
  void send(button);
}
const sendAndOpen = () => sendBy(the('[name="open"]', form()));

function build(): void {
  document.body.append(dialog);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || around(target, '[data-shut]')) dialog.close();
    if (around(target, '.c-more')) dialog.classList.toggle('all');
  });
  dialog.addEventListener('input', changed);
  dialog.addEventListener('dragover', (event) => refuseFiles(event, event.dataTransfer));
  dialog.addEventListener('drop', (event) => refuseFiles(event, event.dataTransfer));
  dialog.addEventListener('paste', (event) => refuseFiles(event, event.clipboardData));
  addEventListener('pagehide', () => keepDraftNow(address));
  dialog.addEventListener('keydown', pressed);
  dialog.addEventListener(
    'scroll',
    ({ target }) => {
      if (target === title()) the('.c-mirror', dialog).scrollLeft = title().scrollLeft;
    },
    true,
  );
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.target === form()) sendBy(event.submitter);
  });
}

async function open(href: string, page?: Document): Promise<void> {
  if (!dialog.isConnected) build();
  // A closed dialog keeps its draft, also over a reload.
  const draft = address ? null : storedDraft();
  if (draft)
    await load(draft.href).then(
      () => {
        fillFrom(draft);
        showAgain();
        void readTitle();
      },
      () => load(href, page),
    );
  else if (!address || title().value.trim() === '') await load(href, page);
  dialog.showModal();
  title().focus();
}

async function load(href: string, first?: Document): Promise<void> {
  const page = first ?? (await fetchPage(href)).page;
  const [chosen, fields] = [page.querySelector('form.where'), page.querySelector('form.item-form')];
  if (!chosen || !fields) throw new Error('The response has no form. Open the page instead.');
  const close = make('button', { type: 'button', class: 'icon-btn', 'aria-label': 'Close and keep the draft', 'data-shut': '' }, icon('x'));
  dialog.replaceChildren(make('header', {}, document.importNode(chosen, true), close), document.importNode(fields, true));
  dialog.setAttribute('aria-label', the('h1', page).textContent ?? '');
  dialog.classList.remove('all');
  address = href;
  forgetMarks();
  dress(sendAndOpen);
  showAgain();
  void readTitle();
}

function changed({ target }: Event): void {
  if (!isField(target)) return;
  if (target.closest('.where')) return void move();
  target.removeAttribute('aria-invalid');
  const isSeveral = target instanceof HTMLSelectElement && target.multiple;
  if (target.closest('.cells')) {
    target.dataset.chosen = '';
    if (!isSeveral) delete target.dataset.said;
  }
  showAgain();
  keepDraftSoon(address);
  if (target !== title() && !isSeveral) return;
  clearTimeout(soon);
  soon = window.setTimeout(readTitle, AFTER_MS);
}

/** The form of another type or workspace, with the typed texts. */
async function move(): Promise<void> {
  const kept = ['title', 'description'].map((name) => ({ name, value: fieldValue(form(), name) }));
  const href = `${base}/workspaces/${fieldValue(where(), 'in')}/new?type=${fieldValue(where(), 'type')}`;
  await load(href).catch(() => location.assign(href));
  for (const { name, value } of kept) setValue(form(), name, value);
  title().focus();
  showAgain();
  void readTitle();
}

function pressed(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.isComposing || !(target instanceof Element)) return;
  const sends = target.matches('textarea') ? event.ctrlKey || event.metaKey : target.matches('.item-form :is(input, select)');
  if (key === 'Enter' && sends) {
    event.preventDefault();
    if (event.shiftKey) sendAndOpen();
    else sendBy(the('.btn.primary', form()));
  } else if (key === 'Backspace' && target === title() && quoteLastWord(title())) event.preventDefault();
  // While the dialog is open, no other shortcut may react.
  event.stopPropagation();
}

provideComposer(open);
