/** The line that adds work to a group, column or item (behaviour §19.9). */
import type { ItemType } from '../../access/rights.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';

export interface GroupValues {
  statusKey?: string;
  personId?: string | number;
  priorityKey?: string;
  day?: string;
  below?: string | number;
}

export interface QuickAddRow {
  context: FormContext;
  /** The workspace's path, below the context path. */
  path: string;
  type: ItemType;
  id: string;
  where: string;
  given: GroupValues;
  /** Below the context path. */
  back: string;
  /** Selector of the part to update; default: #work. */
  live?: string;
}

export function quickAddForm({ context, path, type, id, where, given, back, live = '#work' }: QuickAddRow): Content {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
  const said = `said-${id}`;
  const example = type === 'task' ? 'title, #parent, 4h, friday, @name' : 'title, #parent, friday, @name';
  return postForm(
    context,
    { action: `${path}/quick`, once: true, live, hidden: { type, back, ...known }, data: { quick: `${context.basePath}${path}/quick` } },
    icon('plus'),
    html`<input class="input" id="quick-${id}" name="line" required maxlength="1000" autocomplete="off" aria-label="New ${type} in ${where}" aria-describedby="${said}" placeholder="New ${type}: ${example}">`,
    html`<span class="tail">${button('Add', { kind: 'quiet', small: true, key: 'Enter' })}</span>`,
    html`<p class="said" id="${said}" aria-live="polite"></p>`,
  );
}

export const quickAddRow = (props: QuickAddRow): Content => html`<li class="row new" id="new-${props.id}">${quickAddForm(props)}</li>`;
