import type { ChosenItem } from '../../../overviews/chosenItems.ts';
import { longest } from '../../../values/text.ts';
import type { Clock } from '../../frame/clock.ts';
import { button } from '../../frame/components/button.ts';
import { menuTitle, option } from '../../frame/components/palette.ts';
import { type Content, type Html, html } from '../../frame/html.ts';
import type { PageRequest } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { quantity } from '../../frame/widgets.ts';
import { type Choice, type Chosen, choicesOf, isHeld, notOffered, typedFields } from './choices.ts';
import { type InPlaceField, keyOfChange, labelOfChange, storedValue } from './fields.ts';
import { isSpan, spanOf } from './spans.ts';

export interface Menu {
  field: InPlaceField;
  /** Target of the form and path of the menu, below the context path. */
  action: string;
  back: string;
  /** Path of the workspace, with the context path. */
  at: string;
  chosen: Chosen;
  /** Hidden fields that name the items: one item by its version, many as "id.version". */
  names: Content;
  /** The same as a query string, for links inside the menu. */
  query: string;
  noted?: Noted | undefined;
  /** A refused typed value, shown instead of the stored one. */
  taken?: string | undefined;
}

interface Noted {
  unit: string;
  /** The comment as submitted before. */
  note: string;
}

/** Choices, plus a text or date field for other values. `taking`: the choice for which the form asks the reason. */
export function menuPanel(request: PageRequest, menu: Menu, clock: Clock, taking: string | null): Html {
  const { field, chosen } = menu;
  const label = labelOfChange(field);
  const choices = choicesOf(field, chosen, { userId: request.user.id, clock });
  const why = notOffered(field, chosen);
  const reasoned = choices.find(({ value, reason }) => reason && value === taking);
  const inside = reasoned
    ? reasonForm(request, menu, reasoned)
    : isHeld(field, chosen)
      ? null
      : [options(request, menu, choices), typed(request, menu)];
  const notes = (field === 'assignee' || field === 'owner') && html` data-notes="${menu.at}/candidates"`;
  return html`<section id="change" class="change" aria-label="${label}"${notes}>${menuTitle(many(chosen) ? `${label} of ${quantity(chosen.items.length, 'item')}` : label, keyOfChange(field))}
${why && html`<p class="hint">${why}</p>`}${inside}</section>`;
}

const many = ({ items }: Chosen): boolean => items.length > 1;

function currentOf({ items }: Chosen, field: InPlaceField): string | null {
  const [first = null, ...others] = new Set(items.map((item) => storedValue(item, field)));
  return others.length === 0 ? first : null;
}

function options(request: PageRequest, menu: Menu, choices: readonly Choice[]): Content {
  if (choices.length === 0) return null;
  const current = currentOf(menu.chosen, menu.field);
  // Digits select choices, unless the menu has a text field for numbers (behaviour §23.4).
  const byDigit = typedFields[menu.field]?.type !== 'text';
  const each = choices.map((choice, at) => {
    const digit = byDigit && at < 9 ? { key: String(at + 1) } : {};
    const shown = { icon: choice.icon, note: choice.note, current: current === choice.value, ...digit };
    if (choice.reason && current !== choice.value)
      return option(choice.label, {
        ...shown,
        href: `${request.basePath}${menu.action}?${menu.query}&to=${choice.value}`,
        attributes: html` data-menu-more`,
      });
    return option(choice.label, { ...shown, name: 'value', value: choice.value });
  });
  return form(request, menu, html`<div class="opts">${each}</div>`);
}

function typed(request: PageRequest, menu: Menu): Content {
  if (isSpan(menu.field)) return typedSpan(request, menu);
  if (menu.field === 'title') return titleForm(request, menu);
  const wanted = typedFields[menu.field];
  if (!wanted) return null;
  const { noted, taken } = menu;
  if (noted) return measuredForm(request, { ...menu, ...noted, value: taken ?? currentOf(menu.chosen, menu.field) ?? '' });
  const { type, label, hint } = wanted;
  const mode = type === 'text' && html` inputmode="decimal"`;
  const input = html`<input class="input" type="${type}" name="value" required value="${currentOf(menu.chosen, menu.field) ?? ''}"${mode}${hint && html` placeholder="${hint}"`}>`;
  return form(
    request,
    menu,
    html`<div class="typed"><label><span class="flabel">${label}</span>${input}</label>${button('Set', { small: true })}</div>`,
  );
}

interface Measuring extends Pick<Menu, 'action' | 'back' | 'names'>, Noted {
  value: string;
}

/** A goal's current value with a comment; both are saved or neither (behaviour §27.4). Used in the menu and on the goal's page. */
export function measuredForm(request: PageRequest, { action, back, names, value, unit, note }: Measuring): Content {
  return postForm(
    request,
    { action, hidden: { back }, live: '#work', once: true, autocomplete: 'off' },
    names,
    html`<div class="typed measured"><label><span class="flabel">Current value${unit && ` (${unit})`}</span><input class="input" type="text" inputmode="decimal" name="value" required value="${value}"></label>
<label><span class="flabel">Comment</span><textarea class="input" name="note" rows="2" maxlength="12000" placeholder="What changed?">${note}</textarea></label>${button('Save', { small: true, kind: 'primary' })}</div>`,
  );
}

function titleForm(request: PageRequest, menu: Menu): Content {
  const value = menu.taken ?? currentOf(menu.chosen, 'title') ?? '';
  const input = html`<input class="input" name="value" required maxlength="${longest.title}" value="${value}" dir="auto" autofocus>`;
  return form(
    request,
    menu,
    html`<div class="typed"><label><span class="flabel">Title</span>${input}</label>${button('Save', { small: true, kind: 'primary' })}</div>`,
  );
}

/** Two date fields; a refused input is kept. */
function typedSpan(request: PageRequest, menu: Menu): Content {
  const { form: sent } = request;
  const now = spanOf(currentOf(menu.chosen, menu.field) ?? '');
  const day = (name: 'start' | 'end', label: string) =>
    html`<label><span class="flabel">${label}</span><input class="input" type="date" name="${name}" value="${sent.has(name) ? sent.text(name) : now[name]}"></label>`;
  return form(
    request,
    menu,
    html`<div class="typed span">${day('start', 'Start')}${day('end', menu.field === 'dates' ? 'Target' : 'Due')}${button('Set', { small: true })}</div>`,
  );
}

function reasonForm(request: PageRequest, menu: Menu, { value, label }: Choice): Content {
  const before = many(menu.chosen) ? '' : String(menu.chosen.items[0].fields.blockedReason ?? '');
  const input = html`<input class="input" name="reason" required maxlength="2000" value="${before}" autofocus>`;
  return form(
    request,
    menu,
    html`<input type="hidden" name="value" value="${value}"><div class="typed why"><label><span class="flabel">What blocks ${many(menu.chosen) ? 'these items' : 'this item'}?</span>${input}</label>${button(label, { kind: 'primary', small: true })}</div>`,
  );
}

const form = (request: PageRequest, { action, back, names }: Menu, content: Content): Html =>
  postForm(request, { action, hidden: { back }, live: '#work', autocomplete: 'off' }, names, content);

export const oneName = ({ version }: Pick<ChosenItem, 'version'>): Html => html`<input type="hidden" name="version" value="${version}">`;
export const manyNames = (items: readonly { id: number; version: number }[]): Content =>
  items.map(({ id, version }) => html`<input type="hidden" name="ids" value="${id}.${version}">`);
