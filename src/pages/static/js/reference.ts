// Sends API calls from the reference page. The key is never stored, and redirects are not followed.
import { each } from './shared.ts';

each('.try', (part) => {
  part.hidden = false;
});
const key = () => document.getElementById('try-key')?.value.trim();
const base = () => document.querySelector('[data-api]').dataset.api;

const query = (form) => {
  const values = new URLSearchParams();
  for (const { name, value } of form.elements) if (name && name !== 'body' && value !== '') values.set(name, value);
  return values.size ? `?${values}` : '';
};

/** Writes with the session cookie need a CSRF token. */
const asMyself = async () => {
  const answer = await fetch(`${base()}/capabilities`);
  return answer.ok ? { 'X-CSRF-Token': (await answer.json()).csrfToken } : {};
};

const send = async (form) => {
  const { try: method, path } = form.dataset;
  const given = key();
  const headers = given ? { 'X-API-Key': given } : method === 'POST' ? await asMyself() : {};
  const own =
    method === 'POST' ? { body: form.elements.body.value, headers: { ...headers, 'Content-Type': 'application/json' } } : { headers };
  const address = base() + path + query(form);
  const answer = await fetch(address, { method, ...own, credentials: given ? 'omit' : 'same-origin', redirect: 'error' });
  return { address, status: `${answer.status} ${answer.statusText}`, text: await answer.text() };
};

const legible = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const show = (place, words, text) => {
  const line = document.createElement('p');
  line.textContent = words;
  const body = document.createElement('pre');
  body.className = 'example';
  body.tabIndex = 0;
  body.textContent = text;
  place.replaceChildren(line, ...(text ? [body] : []));
};

document.addEventListener('submit', async (event) => {
  const form = event.target.closest?.('form[data-try]');
  if (!form) return;
  event.preventDefault();
  const place = form.querySelector('.tried');
  show(place, 'Sending…', '');
  try {
    const { address, status, text } = await send(form);
    show(place, `${form.dataset.try} ${address}: ${status}`, legible(text));
  } catch {
    show(place, 'No answer. Check your connection and that the service is running. Redirects are not followed.', '');
  }
});
