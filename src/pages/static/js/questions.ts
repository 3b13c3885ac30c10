// Confirmation dialogs, and protection against double submits.
// Without script the field makes the server ask (confirm.ts). Disabled after the dialog has asked.
const setAsked = (form, asked) => {
  const field = form.querySelector('input[name="_ask"]');
  if (field) field.disabled = asked;
  const sure = form.querySelector('input[name="_sure"]');
  if (sure) sure.disabled = !asked;
  if (asked) form.dataset.asked = 'yes';
  else delete form.dataset.asked;
};

export const newOnce = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const questionOf = (form) => form.dataset.confirm || form.querySelector(':checked[data-ask]')?.dataset.ask;

function ask(form, submitter) {
  const dialog = document.createElement('dialog');
  const text = document.createElement('p');
  text.id = 'question';
  text.textContent = questionOf(form);
  dialog.setAttribute('aria-labelledby', 'question');
  const footer = document.createElement('footer');
  const no = document.createElement('button');
  no.type = 'button';
  no.textContent = 'Cancel';
  no.className = 'secondary';
  const yes = document.createElement('button');
  yes.type = 'button';
  yes.textContent = submitter?.textContent.trim() || submitter?.getAttribute('aria-label') || 'Continue';
  footer.append(no, yes);
  dialog.append(text, footer);
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

const stop = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

// In the capture phase, before htmx, which listens on the form.
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (form.method !== 'post') return;
    if (!form.dataset.asked && questionOf(form)) {
      stop(event);
      ask(form, event.submitter);
    } else if (form.dataset.sent) stop(event);
  },
  true,
);

// After the page's own scripts. Forms with data-many may be sent again. htmx prevents the event and allows one request at a time itself
// (live.js).
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!event.defaultPrevented && form.method === 'post' && !('many' in form.dataset)) form.dataset.sent = 'yes';
});

// A form that stays on the page asks again next time and gets a new replay id.
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const form = ctx.request.form;
  if (!form) return;
  setAsked(form, false);
  const once = form.querySelector('input[name="_once"]');
  if (once && form.isConnected && ctx.response?.status < 400) once.value = newOnce();
});
