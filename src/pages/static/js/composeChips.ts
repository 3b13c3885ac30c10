// How the form of a new item looks in the dialog: chips, the marked title, the line about free hours, and keys on the buttons.
import { clockNow, dayWords, estimate } from './clock.ts';
import { chips, form, isSelect, type Mark, title } from './composeForm.ts';
import { all, type Field, fieldValue, icon, make, the } from './shared.ts';

const chipIcons = new Map(
  Object.entries({
    ...{ statusKey: 'circle-dashed', assigneeId: 'user', ownerId: 'user', priorityKey: 'chevrons-up', dueDate: 'calendar' },
    ...{ targetDate: 'calendar', startDate: 'calendar-plus', estimatedHours: 'timer', requirementId: 'scroll-text' },
    ...{ releaseId: 'ship', goalId: 'target', milestoneId: 'flag', labels: 'tag' },
  }),
);

/** The name of a field goes into an element of its own, so that a chip can hide it. */
function wrapName(label: Element, className: string): void {
  const text = label.firstChild;
  text?.replaceWith(make('span', { class: className }, text.textContent?.trim() ?? ''));
}

const labelOf = (control: Field): HTMLLabelElement => {
  const label = control.closest('label');
  if (!label) throw new Error(`The field ${control.name} has no label.`);
  return label;
};

export function dress(sendAndOpen: () => void): void {
  for (const label of all('.texts > label', form())) wrapName(label, 'vh');
  title().before(make('div', { class: 'c-mirror', 'aria-hidden': 'true' }));
  title().setAttribute('autocomplete', 'off');
  title().setAttribute('placeholder', 'Title, friday, @name, 4h, #parent, ~label');
  labelOf(title()).after(make('p', { class: 'c-said', id: 'c-said', role: 'status' }));
  title().setAttribute('aria-describedby', 'c-said');
  the('[name="description"]', form()).setAttribute('placeholder', 'Description');
  for (const control of chips()) {
    const label = labelOf(control);
    wrapName(label, 'l');
    const sign = chipIcons.get(control.name);
    if (sign) label.prepend(icon(sign));
    label.append(make('span', { class: 'v', 'aria-hidden': 'true' }));
  }
  const more = make('button', { type: 'button', class: 'prop unset c-more', 'aria-label': 'More properties' }, icon('ellipsis'));
  the('.cells', form()).append(more);
  the('.form-foot', form()).before(make('p', { class: 'c-fit', role: 'status' }));
  dressButtons(sendAndOpen);
}

function dressButtons(sendAndOpen: () => void): void {
  the('[name="open"]', form()).hidden = false;
  the('.form-foot .primary', form()).after(otherWays(sendAndOpen));
  for (const [button, key] of [
    ['.btn[name]', '⇧ ↵'],
    ['.btn.primary', '↵'],
  ])
    the(`.form-foot ${button}`, form()).append(make('kbd', { class: 'kbd', 'aria-hidden': 'true' }, key ?? ''));
}

/** On phones "Create and open" is behind the arrow of the split button. */
function otherWays(sendAndOpen: () => void): HTMLElement {
  const opener = make('button', { type: 'button', class: 'opt' }, 'Create and open');
  opener.addEventListener('click', sendAndOpen);
  const arrow = make('summary', { 'aria-label': 'Other ways to create' }, icon('chevron-down'));
  return make('details', { class: 'pop split at-narrow' }, arrow, make('div', { class: 'pop-panel' }, opener));
}

let fitting: AbortController | null = null;
let fitAsked = '';
/** Says if the work fits the assignee's free hours. */
async function showFit(): Promise<void> {
  const [assignee, due, hours] = ['assigneeId', 'dueDate', 'estimatedHours'].map((name) => fieldValue(form(), name));
  const query = new URLSearchParams({ assignee: assignee ?? '', due: due ?? '', hours: hours ?? '' });
  const to = `${form().action.replace(/\/items$/, '/fit')}?${query}`;
  if (to === fitAsked) return;
  fitAsked = to;
  fitting?.abort();
  fitting = new AbortController();
  const line = the('.c-fit', form());
  try {
    const answer = assignee ? await fetch(to, { signal: fitting.signal, headers: { Accept: 'application/json' } }) : null;
    const { text, fits }: { text?: string; fits?: boolean } = answer?.ok ? await answer.json() : {};
    line.classList.toggle('over', fits === false);
    line.replaceChildren(...(text ? [icon(fits === false ? 'triangle-alert' : 'circle-check'), text] : []));
  } catch {
    if (fitAsked === to) fitAsked = '';
  }
}

function words(control: Field): string {
  if (control.value === '') return '';
  if (isSelect(control)) return [...control.selectedOptions].map(({ text }) => text).join(', ');
  if (control.type === 'date') return dayWords(control.value, clockNow());
  return control.name === 'estimatedHours' ? estimate(Number(control.value.replace(',', '.'))) : control.value;
}

/** Shows the values of the fields, and marks the words of the title that set some. */
export function showChips(marks: readonly Mark[]): void {
  for (const control of chips()) {
    const label = labelOf(control);
    // Moves a folded field to the main chips when the title names it.
    if ('said' in control.dataset && label.closest('.more-fields')) the('.c-more', form()).before(label);
    the('.v', label).textContent = words(control);
    label.classList.toggle('unset', control.value === '');
    label.classList.toggle('set', 'said' in control.dataset);
  }
  void showFit();
  const line = title().value;
  const mirror = the('.c-mirror', form());
  const found = marks.map(({ word }) => ({ word, at: ` ${line} `.indexOf(` ${word} `) })).filter(({ at }) => at >= 0);
  found.sort((a, b) => a.at - b.at);
  mirror.replaceChildren();
  let done = 0;
  for (const { word, at } of found) {
    if (at < done) continue;
    mirror.append(line.slice(done, at), make('mark', {}, word));
    done = at + word.length;
  }
  mirror.append(line.slice(done));
  mirror.scrollLeft = title().scrollLeft;
}
