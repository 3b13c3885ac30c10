// Sends API calls from the reference page. The key is never stored, and redirects are not followed.
import { around, each, fieldValue, isField, make, the } from './shared.ts';

each('.try', (part) => {
  part.hidden = false;
});
const givenKey = () => document.querySelector<HTMLInputElement>('#try-key')?.value.trim();
const api = () => the('[data-api]').dataset.api ?? '';

function query(form: HTMLFormElement): string {
  const values = new URLSearchParams();
  for (const one of form.elements) if (isField(one) && one.name && one.name !== 'body' && one.value !== '') values.set(one.name, one.value);
  return values.size ? `?${values}` : '';
}

/** Writes with the session cookie need a CSRF token. */
async function asMyself(): Promise<Record<string, string>> {
  const answer = await fetch(`${api()}/capabilities`);
  return answer.ok ? { 'X-CSRF-Token': (await answer.json()).csrfToken } : {};
}

async function send(form: HTMLFormElement) {
  const { try: method = 'GET', path = '' } = form.dataset;
  const key = givenKey();
  const headers: Record<string, string> = key ? { 'X-API-Key': key } : method === 'POST' ? await asMyself() : {};
  const own =
    method === 'POST' ? { body: fieldValue(form, 'body'), headers: { ...headers, 'Content-Type': 'application/json' } } : { headers };
  const address = api() + path + query(form);
  const answer = await fetch(address, { method, ...own, credentials: key ? 'omit' : 'same-origin', redirect: 'error' });
  return { address, status: `${answer.status} ${answer.statusText}`, text: await answer.text() };
}

function legible(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(place: Element, words: string, text: string): void {
  place.replaceChildren(make('p', {}, words), ...(text ? [make('pre', { class: 'example', tabindex: '0' }, text)] : []));
}

document.addEventListener('submit', async (event) => {
  const form = around<HTMLFormElement>(event.target, 'form[data-try]');
  if (!form) return;
  event.preventDefault();
  const place = the('.tried', form);
  show(place, 'Sending…', '');
  try {
    const { address, status, text } = await send(form);
    show(place, `${form.dataset.try} ${address}: ${status}`, legible(text));
  } catch {
    show(place, 'No answer. Check your connection and that the service is running. Redirects are not followed.', '');
  }
});
