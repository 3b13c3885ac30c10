// Dropping a dragged row sends the same form as the arrow buttons. Refused moves are reverted. The pressed arrow keeps the focus.
import Sortable from 'sortablejs';
import { each } from './shared.ts';

const bodies = new WeakSet();

let moving = null;
let before = [];

function drop(row, body) {
  const form = row.closest('section').querySelector('form[data-drop]');
  form.elements.key.value = row.dataset.word;
  form.elements.before.value = row.nextElementSibling?.dataset.word ?? '';
  moving = { form, body, rows: before };
  form.requestSubmit();
}

each('table.order tbody', (body) => {
  body.classList.add('can-drag');
  if (bodies.has(body)) return;
  bodies.add(body);
  Sortable.create(body, {
    handle: '.grip',
    animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
    forceFallback: true,
    fallbackTolerance: 5,
    onStart() {
      before = [...body.rows];
    },
    onEnd({ item, oldIndex, newIndex }) {
      if (oldIndex !== newIndex) drop(item, body);
    },
  });
});

function ended({ detail: { ctx } }: any) {
  if (!moving || ctx?.sourceElement !== moving.form) return;
  if (!ctx.response || ctx.response.status >= 400) moving.body.append(...moving.rows);
  moving = null;
}
document.addEventListener('htmx:after:request', ended);
document.addEventListener('htmx:error', ended);

let pressed = null;
document.addEventListener('submit', ({ submitter }) => {
  const row = submitter?.name === 'direction' && submitter.closest('tr[data-word]');
  pressed = row && { word: row.dataset.word, card: row.closest('section').id, direction: submitter.value };
});
document.addEventListener('htmx:after:swap', () => {
  if (!pressed) return;
  const row = document.querySelector(`#${pressed.card} tr[data-word="${CSS.escape(pressed.word)}"]`);
  const arrow =
    row?.querySelector(`button[value="${pressed.direction}"]:enabled`) ?? row?.querySelector('button[name="direction"]:enabled');
  arrow?.focus();
  pressed = null;
});
