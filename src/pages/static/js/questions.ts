// Confirmation dialogs, and protection against double submits.
import { make } from './shared.ts';

// Without script the field makes the server ask (confirm.ts). Disabled after the dialog has asked.
function setAsked(form: HTMLFormElement, asked: boolean): void {
  const field = form.querySelector<HTMLInputElement>('input[name="_ask"]');
  if (field) field.disabled = asked;
  const sure = form.querySelector<HTMLInputElement>('input[name="_sure"]');
  if (sure) sure.disabled = !asked;
  if (asked) form.dataset.asked = 'yes';
  else delete form.dataset.asked;
}

/** A one-time id for a form. */
export const newOnce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const questionOf = (form: HTMLFormElement) => form.dataset.confirm || form.querySelector<HTMLElement>(':checked[data-ask]')?.dataset.ask;

function ask(form: HTMLFormElement, question: string, submitter: HTMLElement | null): void {
  const no = make('button', { type: 'button', class: 'secondary' }, 'Cancel');
  const words = submitter?.textContent.trim() || submitter?.getAttribute('aria-label') || 'Continue';
  const yes = make('button', { type: 'button' }, words);
  const dialog = make('dialog', { 'aria-labelledby': 'question' }, make('p', { id: 'question' }, question), make('footer', {}, no, yes));
  document.body.append(dialog);
  no.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  yes.addEventListener('click', () => {
    setAsked(form, true);
    dialog.close();
    form.requestSubmit(submitter?.isConnected ? submitter : undefined);
  });
  dialog.showModal();
}

const postFormOf = ({ target }: Event) => (target instanceof HTMLFormElement && target.method === 'post' ? target : null);

// In the capture phase, before htmx, which listens on the form.
document.addEventListener(
  'submit',
  (event) => {
    const form = postFormOf(event);
    if (!form) return;
    const question = form.dataset.asked ? undefined : questionOf(form);
    if (!question && !form.dataset.sent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (question) ask(form, question, event.submitter);
  },
  true,
);

// After the page's own scripts. Forms with data-many may be sent again. htmx prevents the event and allows one request at a time itself
// (live.js).
document.addEventListener('submit', (event) => {
  const form = postFormOf(event);
  if (form && !event.defaultPrevented && !('many' in form.dataset)) form.dataset.sent = 'yes';
});

// A form that stays on the page asks again next time and gets a new replay id.
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const { form } = ctx.request;
  if (!form) return;
  setAsked(form, false);
  const once = form.querySelector<HTMLInputElement>('input[name="_once"]');
  if (once && form.isConnected && ctx.response && ctx.response.status < 400) once.value = newOnce();
});
