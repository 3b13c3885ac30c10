/** The form of an item: only the fields that apply to its type (behaviour §4.2). */
import type { z } from 'zod';
import type { ItemType } from '../../access/rights.ts';
import { longTexts } from '../../changes/schema.ts';
import { isLink, type LinkName, linkTargets } from '../../items/fields.ts';
import type { Work } from '../../items/schema.ts';
import { type LinkChoice, MOST_CHOICES } from '../../overviews/openItem.ts';
import { isDate } from '../../values/dates.ts';
import { keysOf } from '../../values/records.ts';
import type { Options } from '../../workspaces/schema.ts';
import type { Clock } from '../frame/clock.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { personChoice, pickSelect } from '../frame/components/picker.ts';
import { dayWords } from '../frame/components/when.ts';
import { Fields } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { type FormName, firstOf, isText, kindOf, labelOf, labels, restOf, typeLabel, withUnit } from './fields.ts';
import { linkWords } from './linkNames.ts';
import { marksOf, type Values, valuesOf } from './values.ts';

export type AllOptions = z.infer<typeof Options>;

export interface Choices {
  type: ItemType;
  options: AllOptions;
  targets: readonly LinkChoice[];
  stored: Work | null;
  links: readonly LinkChoice[];
  ownerName: string | null;
  assigneeName?: string | null;
  /** Path of the workspace, with the context path. Pickers of items load their choices from below it. */
  at?: string;
  /** Address of the search, with the context path. */
  search?: string;
}

/** Field names in error texts, also for the small forms on an item's page. */
export const formLabels: Labels = {
  ...labels,
  ...{ id: '', status: '', comment: '', body: '' },
  ...{ blocker: 'Number of the item', lagDays: 'Lag in working days', blockedBy: '', labels: '' },
  ...{ file: '' },
  ...{ line: '', startLocal: 'From', endLocal: 'To', note: 'Note' },
};

interface FormShape {
  /** Below the context path. */
  action: string;
  choices: Choices;
  values: Values;
  without: readonly FormName[];
  button: string;
  away: string;
  fields?: Fields;
  /** After the main fields. */
  more?: Content;
  /** Fields named in the URL; their groups are open. */
  asked?: readonly FormName[];
}

/** Main fields first. The other groups are folded unless a field in them has a value or an error. The buttons stay visible. */
export function itemForm(context: FormContext, shape: FormShape): Content {
  const { action, choices, values, without, button: label, away, fields = new Fields(formLabels), more, asked = [] } = shape;
  const { stored, type } = choices;
  const field = (name: FormName) => fieldOf(name, values[name] ?? '', choices, fields);
  const isOpen = (name: FormName) =>
    fields.isAtFault(name) || asked.includes(name) || (values[name] ?? '') !== (isUsual(name, choices) ?? '');
  const hidden = stored ? { version: stored.version, marks: marksOf(valuesOf(stored, keysOf(values))) } : { type };
  const rest = restOf(type, without).map(
    ({ legend, names }) =>
      html`<details class="more-fields"${names.some(isOpen) && html` open`}><summary>${icon('chevron-right', 's')}${legend}<span class="meta">${names.map(labelOf).join(', ')}</span></summary><div class="cells">${names.map(field)}</div></details>`,
  );
  return postForm(
    context,
    // Multipart, because URL encoding would make long texts too large.
    { action, once: !stored, hidden, multipart: true, class: 'item-form' },
    html`<div class="texts">${(['title', ...longTexts] as const).filter((name) => name in values).map(field)}</div>
<div class="cells">${firstOf(type, without).map(field)}${more}</div>
${rest}
<div class="form-foot">${button(label, { kind: 'primary' })}${!stored && ofNew()}${linkButton(away, 'Cancel', { kind: 'quiet' })}</div>`,
  );
}

/** The second button is only for the dialog (compose.ts); the page opens the new item anyway. */
const ofNew = () =>
  html`${button('Create and open', { name: 'open', value: 'yes', icon: 'external-link', iconOnPhone: true, attributes: html` hidden` })}<label class="toggle"><input type="checkbox" name="another" value="yes" autocomplete="off">Create another</label>`;

/** Default values of a new item; they do not unfold a group. */
const isUsual = (name: FormName, { stored, options }: Choices): string | undefined =>
  stored === null && name === 'priorityKey' ? options.priorities.find((one) => one.default)?.key : undefined;

type Labelled = (control: (mark: Content) => Content, hint?: Content) => Content;

function fieldOf(name: FormName, value: string, choices: Choices, fields: Fields): Content {
  // The id is also the URL fragment of the field.
  const label: Labelled = (control, hint) => fields.field(name, (mark) => control(html` id="${name}"${mark}`), hint);
  if (name === 'title') return label((mark) => html`<input name="title" required value="${value}"${mark}>`);
  if (name === 'blockedReason')
    return html`<div class="reason${(value !== '' || fields.isAtFault(name)) && ' kept'}">${label((mark) => html`<input name="blockedReason" value="${value}"${mark}>`, hints[name])}</div>`;
  // Browsers drop the first line end in a textarea, so one is added. No maxlength: browsers count in other units (behaviour §4.6).
  if (isText(name))
    return label((mark) => html`<textarea name="${name}" rows="${name === 'description' ? 7 : 4}"${mark}>${`\n${value}`}</textarea>`);
  if (name === 'statusKey') return statusField(label, value, choices);
  if (name === 'priorityKey') return label(select(name, value, prioritiesOf(value, choices), 'none'));
  if (name === 'assigneeId' || name === 'ownerId') return label(peopleSelect(name, value, choices));
  if (isLink(name)) return linkField(label, name, value, choices);
  return plainField(label, name, value);
}

const hints: Partial<Record<FormName, string>> = {
  blockedReason: 'Only for a blocked status.',
  reachPeriod: 'A quarter, such as 2026-Q3.',
};

function plainField(label: Labelled, name: FormName, value: string): Content {
  const kind = kindOf(name);
  if (kind === 'date') return label((mark) => html`<input type="date" name="${name}" value="${value}"${mark}>`);
  if (kind === 'number') return label((mark) => html`<input name="${name}" inputmode="decimal" value="${value}"${mark}>`);
  return label((mark) => html`<input name="${name}" value="${value}"${mark}>`, hints[name]);
}

type Choice = readonly [value: string, label: string];

function select(name: FormName, value: string, choices: readonly Choice[], none?: string): (mark: Content) => Content {
  return (mark) =>
    html`<select name="${name}"${mark}>${none !== undefined && option('', none, value)}${choices.map(([key, text]) => option(key, text, value))}</select>`;
}

function statusField(label: Labelled, value: string, { options, type, stored }: Choices): Content {
  if (stored?.status === 'pending_approval') {
    return label(select('statusKey', value, [[value, statusLabel(options, value)]]), 'Waiting for approval. To decide, open the item.');
  }
  const ofType = options.statuses.filter(
    ({ types, approval, key }) => types.includes(type) && (!approval || key === stored?.fields.statusKey),
  );
  const choices = withCurrent(
    ofType.map(({ key, label: text }) => [key, text]),
    value,
    value,
  );
  const blocked = new Set(ofType.filter(({ status }) => status === 'blocked').map(({ key }) => key));
  const offered = choices.map(
    ([key, text]) =>
      html`<option value="${key}"${blocked.has(key) && html` class="blocked"`}${key === value && html` selected`}>${text}</option>`,
  );
  return label((mark) => html`<select name="statusKey"${mark}>${offered}</select>`);
}

export const statusLabel = (options: AllOptions, key: string): string => options.statuses.find((one) => one.key === key)?.label ?? key;

/** Keeps the current value in the list, even if it can no longer be selected. */
function withCurrent(choices: Choice[], value: string, text: string): Choice[] {
  return value === '' || choices.some(([key]) => key === value) ? choices : [...choices, [value, text]];
}

function prioritiesOf(value: string, { options }: Choices): Choice[] {
  return withCurrent(
    options.priorities.toReversed().map(({ key, label: text }) => [key, text]),
    value,
    value,
  );
}

function peopleSelect(name: 'assigneeId' | 'ownerId', value: string, choices: Choices): (mark: Content) => Content {
  const { options, stored, ownerName, assigneeName = stored?.fields.assigneeName, at } = choices;
  const [id, text] = name === 'ownerId' ? [stored?.ownerId, ownerName] : [stored?.fields.assigneeId, assigneeName];
  const people = options.assignees.map((one) => personChoice(one.id, one.name));
  const kept = id != null && !people.some((one) => one.value === String(id)) && personChoice(id, text ?? String(id));
  const none = { value: '', label: name === 'ownerId' ? 'No owner' : 'Unassigned' };
  return (attributes) =>
    pickSelect({ name, options: [none, ...people, ...(kept ? [kept] : [])], chosen: value, notes: at && `${at}/candidates`, attributes });
}

/** A select if all possible targets were read. Otherwise a field for a number or title that a script completes from the server. */
function linkField(label: Labelled, name: LinkName, value: string, { targets, links, stored, type, at, search }: Choices): Content {
  const types = linkTargets(name, type);
  const fitting = targets.filter((target) => types.includes(target.type) && target.id !== stored?.id);
  const current = [...links, ...fitting].find((link) => String(link.id) === value);
  if (types.every((each) => fitting.filter((target) => target.type === each).length < MOST_CHOICES - 1)) {
    const known = current && !fitting.includes(current) ? [...fitting, current] : fitting;
    const options = known.map(({ id, title, type: of }) => ({
      value: String(id),
      label: title,
      note: types.length > 1 ? `${typeLabel(of)} ${id}` : `#${id}`,
    }));
    const unknown = value !== '' && !current ? [{ value, label: value }] : [];
    return label((attributes) =>
      pickSelect({ name, options: [{ value: '', label: 'none' }, ...options, ...unknown], chosen: value, attributes }),
    );
  }
  const hint = html`Number or title of the item. <a href="${search}" target="_blank">Search for it</a>`;
  const find = at && html` data-find="${at}/find?types=${types.join()}"`;
  return label(
    (mark) => html`<input name="${name}" autocomplete="off" value="${current ? linkWords(current) : value}"${find}${mark}>`,
    hint,
  );
}

export function displayedValue(
  name: FormName,
  value: string,
  { options, targets, links, stored, ownerName }: Choices,
  clock: Clock,
): string {
  if (value === '') return '';
  if (name === 'statusKey') return statusLabel(options, value);
  if (name === 'priorityKey') return options.priorities.find(({ key }) => key === value)?.label ?? value;
  if (name === 'assigneeId' || name === 'ownerId') {
    const stale = name === 'ownerId' ? ownerName : stored?.fields.assigneeName;
    return options.assignees.find(({ id }) => String(id) === value)?.name ?? stale ?? value;
  }
  if (isLink(name)) return [...links, ...targets].find(({ id }) => String(id) === value)?.title ?? value;
  return kindOf(name) === 'date' && isDate(value) ? dayWords(value, clock) : withUnit(name, value);
}
