// Sends the form of a new item, and shows the answer on the page below the dialog.
import { dropDraft } from './composeDraft.ts';
import { dataOf, dialog, form, said, title } from './composeForm.ts';
import { keepTyped } from './keepTyped.ts';
import { keepForm } from './outbox.ts';
import { newOnce } from './questions.ts';
import { all, fetchPage, fieldOf, isField, make, setValue } from './shared.ts';

export async function send(button: HTMLElement | null): Promise<void> {
  const from = form();
  if (from.ariaBusy === 'true') return;
  const data = dataOf(button);
  from.ariaBusy = 'true';
  try {
    const { answer, page } = await fetchPage(from.action, { method: 'POST', body: data });
    if (answer.status >= 400) refuse(page.querySelector('[role="alert"]')?.textContent ?? `The request failed (${answer.status}).`, page);
    else if (!page.getElementById('head')) refuse('Your session has ended. Sign in again in another tab, then create the item here.');
    else if (data.has('open')) {
      dropDraft();
      location.assign(answer.url);
    } else await land(page, data.has('another'));
  } catch {
    if (await keepForm(from.action, data, 'multipart')) close();
    else refuse('No connection to the server. Your input is kept. Send it again.');
  }
  from.ariaBusy = 'false';
}

function refuse(problem: string, page?: Document): void {
  said().replaceChildren(make('span', { class: 'fault', role: 'alert' }, problem.trim()));
  const wrong = (page ? all('.item-form [aria-invalid]', page) : [])
    .map((one) => isField(one) && fieldOf(form(), one.name))
    .filter((field) => isField(field));
  for (const field of wrong) {
    field.setAttribute('aria-invalid', 'true');
    const fold = field.closest('details');
    if (fold) fold.open = true;
    if (fold || field.matches('textarea:not([name="description"])')) dialog.classList.add('all');
  }
  (wrong[0] ?? title()).focus();
}

/** The form was sent. A new one-time id makes the next item another one. */
function forget(): void {
  dropDraft();
  setValue(form(), '_once', newOnce());
}

function close(): void {
  forget();
  form().reset();
  dialog.close();
}

async function land(page: Document, another: boolean): Promise<void> {
  if (another) {
    forget();
    title().select();
  } else close();
  const release = document.getElementById('work') && page.getElementById('work') && keepTyped(page);
  const part = release ? '#work' : '#notice';
  const others = [...(release ? ['#notice', '#head', '#beside'] : []), '.side .n[id]', '.tabbar .n[id]'];
  await htmx.swap({
    ...{
      sourceElement: document.body,
      text: page.documentElement.outerHTML,
      target: part,
      select: part,
      swap: 'outerMorph ignoreTitle:true',
    },
    selectOOB: others.map((one) => `${one}:outerMorph`).join(','),
  });
  release?.();
}
