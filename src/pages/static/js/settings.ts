// Dropping a dragged row sends the same form as the arrow buttons. Refused moves are reverted. The pressed arrow keeps the focus.
import Sortable from 'sortablejs';
import { all, each, setValue, the } from './shared.ts';

const bodies = new WeakSet<HTMLElement>();
let before: HTMLTableRowElement[] = [];
let moving: { form: HTMLFormElement; body: HTMLElement; rows: HTMLTableRowElement[] } | null = null;

const wordOf = (row: Element | null): string => (row instanceof HTMLElement ? (row.dataset.word ?? '') : '');

function drop(row: HTMLElement, body: HTMLElement): void {
  const section = row.closest('section');
  if (!section) return;
  const form = the<HTMLFormElement>('form[data-drop]', section);
  setValue(form, 'key', wordOf(row));
  setValue(form, 'before', wordOf(row.nextElementSibling));
  moving = { form, body, rows: before };
  form.requestSubmit();
}

each<HTMLTableSectionElement>('table.order tbody', (body) => {
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

function ended({ detail: { ctx } }: CustomEvent<{ ctx?: HtmxContext }>): void {
  if (!moving || ctx?.sourceElement !== moving.form) return;
  if (!ctx.response || ctx.response.status >= 400) moving.body.append(...moving.rows);
  moving = null;
}
document.addEventListener('htmx:after:request', ended);
document.addEventListener('htmx:error', ended);

let pressed: { word: string; card: string; direction: string } | null = null;
document.addEventListener('submit', ({ submitter }) => {
  const button = submitter instanceof HTMLButtonElement && submitter.name === 'direction' ? submitter : null;
  const row = button?.closest('tr[data-word]');
  pressed = button && row ? { word: wordOf(row), card: row.closest('section')?.id ?? '', direction: button.value } : null;
});
document.addEventListener('htmx:after:swap', () => {
  if (!pressed) return;
  const arrows = all<HTMLButtonElement>(`#${pressed.card} tr[data-word="${CSS.escape(pressed.word)}"] button[name="direction"]:enabled`);
  const { direction } = pressed;
  const arrow = arrows.find(({ value }) => value === direction) ?? arrows[0];
  arrow?.focus();
  pressed = null;
});
