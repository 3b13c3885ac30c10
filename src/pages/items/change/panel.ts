/** The menu of a field, of one item or of many: on a page of its own, and in the popover that a script opens beside its link. */
import type { ChosenItem } from '../../../overviews/chosenItems.ts';
import type { Clock } from '../../frame/clock.ts';
import { button } from '../../frame/components/button.ts';
import { menuTitle, option } from '../../frame/components/menu.ts';
import { type Content, type Html, html } from '../../frame/html.ts';
import type { PageRequest } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { type Choice, type Chosen, choicesOf, isHeld, notOffered, typedFields } from './choices.ts';
import { type InPlaceField, inPlaceFields, storedValue } from './fields.ts';
import { isSpan, spanOf } from './spans.ts';

export interface Menu {
  field: InPlaceField;
  /** Below the context path: where it is sent to, and where it is asked for. */
  action: string;
  /** The page to come back to. */
  back: string;
  chosen: Chosen;
  /** What the items are called by in the form: one by its version, many by "id.version". */
  names: Content;
  /** For links of the menu itself: the same names as an address has them. */
  query: string;
  /** It takes a comment along. */
  noted?: Noted | undefined;
  /** What was typed and refused, in place of what is stored. */
  taken?: string | undefined;
}

interface Noted {
  unit: string;
  /** As it was typed before. */
  note: string;
}

/** Its options, and a field where more than these can be chosen; `taking`: the choice that asks for its reason. */
export function menuPanel(request: PageRequest, menu: Menu, clock: Clock, taking: string | null): Html {
  const { field, chosen } = menu;
  const { label } = inPlaceFields[field];
  const key = 'key' in inPlaceFields[field] ? (inPlaceFields[field] as { key: string }).key : undefined;
  const choices = choicesOf(field, chosen, { userId: request.user.id, clock });
  const why = notOffered(field, chosen);
  const reasoned = choices.find(({ value, reason }) => reason && value === taking);
  const inside = reasoned
    ? reasonForm(request, menu, reasoned)
    : isHeld(field, chosen)
      ? null
      : [options(request, menu, choices), typed(request, menu)];
  return html`<section id="change" class="change" aria-label="${label}">${menuTitle(many(chosen) ? `${label} of ${chosen.items.length}` : label, key)}
${why && html`<p class="hint">${why}</p>`}${inside}</section>`;
}

const many = ({ items }: Chosen): boolean => items.length > 1;

/** What all of them have now; null when they differ. */
function currentOf({ items }: Chosen, field: InPlaceField): string | null {
  const values = new Set(items.map((item) => storedValue(item, field)));
  return values.size === 1 ? [...values][0]! : null;
}

function options(request: PageRequest, menu: Menu, choices: readonly Choice[]): Content {
  if (choices.length === 0) return null;
  const current = currentOf(menu.chosen, menu.field);
  // Where a number can be typed, digits type it (behaviour §23.4).
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

export interface Measuring extends Pick<Menu, 'action' | 'back' | 'names'>, Noted {
  value: string;
}

/** Where a goal stands, with a comment that is saved with it or not at all (behaviour §27.4): in the menu, and on the goal's own page. */
export function measuredForm(request: PageRequest, { action, back, names, value, unit, note }: Measuring): Content {
  return postForm(
    request,
    { action, hidden: { back }, live: '#work', once: true },
    names,
    html`<div class="typed measured"><label><span class="flabel">Where it stands${unit && `, ${unit}`}</span><input class="input" type="text" inputmode="decimal" name="value" required value="${value}"></label>
<label><span class="flabel">Comment</span><textarea class="input" name="note" rows="2" maxlength="12000" placeholder="What moved it?">${note}</textarea></label>${button('Save', { small: true, kind: 'primary' })}</div>`,
  );
}

/** Two days; what was refused stays as it was typed. */
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
  const before = many(menu.chosen) ? '' : String(menu.chosen.items[0]?.fields.blockedReason ?? '');
  const input = html`<input class="input" name="reason" required maxlength="2000" value="${before}" autofocus>`;
  return form(
    request,
    menu,
    html`<input type="hidden" name="value" value="${value}"><div class="typed why"><label><span class="flabel">What blocks ${many(menu.chosen) ? 'them' : 'it'}?</span>${input}</label>${button(label, { kind: 'primary', small: true })}</div>`,
  );
}

const form = (request: PageRequest, { action, back, names }: Menu, content: Content): Html =>
  postForm(request, { action, hidden: { back }, live: '#work' }, names, content);

export const oneName = ({ version }: ChosenItem): Html => html`<input type="hidden" name="version" value="${version}">`;
export const manyNames = (items: readonly { id: number; version: number }[]): Content =>
  items.map(({ id, version }) => html`<input type="hidden" name="ids" value="${id}.${version}">`);
