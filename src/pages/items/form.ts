/** The form of an item: only the fields that apply to its type (behaviour §4.2), each offering what can be chosen. */
import type { z } from 'zod';
import type { ItemType } from '../../access/rights.ts';
import { type LinkName, linkTargets } from '../../items/fields.ts';
import type { Work } from '../../items/schema.ts';
import { type LinkChoice, MOST_CHOICES } from '../../overviews/openItem.ts';
import type { Options } from '../../workspaces/schema.ts';
import type { Labels } from '../frame/faults.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { type FormName, groupsOf, isLink, isText, kindOf, labels } from './fields.ts';
import { marksOf, type Values, valuesOf } from './values.ts';

export type AllOptions = z.infer<typeof Options>;

/** What the fields of an item of `type` are chosen from. */
export interface Choices {
  type: ItemType;
  options: AllOptions;
  targets: readonly LinkChoice[];
  stored: Work | null;
  /** Links whose titles are known, of what is stored. */
  links: readonly LinkChoice[];
  ownerName: string | null;
}

/** What refusals call the fields of this form, and those of the short forms on an item's page. */
export const formLabels: Labels = { ...labels, id: '', status: '', comment: '', body: '' };

interface FormShape {
  /** Below the context path. */
  action: string;
  choices: Choices;
  values: Values;
  /** Fields this person may not see. */
  without: readonly FormName[];
  button: string;
  fields?: Fields;
}

export function itemForm(context: FormContext, shape: FormShape): Content {
  const { action, choices, values, without, button, fields = new Fields(formLabels) } = shape;
  const { stored, type } = choices;
  const field = (name: FormName) => fieldOf(name, values[name] ?? '', choices, fields);
  const hidden = stored ? { version: stored.version, marks: marksOf(valuesOf(stored, Object.keys(values) as FormName[])) } : { type };
  return postForm(
    context,
    // A text of the greatest length would outgrow the limit when percent-encoded.
    { action, once: !stored, hidden, multipart: true },
    html`${['title', 'description', 'acceptance'].filter((name) => name in values).map((name) => field(name as FormName))}
${groupsOf(type, without).map(({ legend, names }) => html`<fieldset><legend>${legend}</legend><div class="sides">${names.map(field)}</div></fieldset>`)}
<button>${button}</button>`,
  );
}

/** A field's control, its label beside it, and what is wrong with it. */
type Labelled = (control: (mark: Content) => Content, hint?: Content) => Content;

function fieldOf(name: FormName, value: string, choices: Choices, fields: Fields): Content {
  const label: Labelled = (control, hint) => fields.field(name, control, hint);
  if (name === 'title') return label((mark) => html`<input name="title" required value="${value}"${mark}>`);
  // A browser drops the first line end inside a textarea: ours stands in for it. No maxlength: browsers count other units than we do
  // (behaviour §4.6), and would refuse what is stored.
  if (isText(name))
    return label((mark) => html`<textarea name="${name}" rows="${name === 'description' ? 7 : 4}"${mark}>${`\n${value}`}</textarea>`);
  if (name === 'statusKey') return statusField(label, value, choices);
  if (name === 'priorityKey') return label(select(name, value, prioritiesOf(value, choices), 'none'));
  if (name === 'assigneeId' || name === 'ownerId') return label(select(name, value, peopleOf(name, choices), 'nobody'));
  if (isLink(name)) return linkField(label, name, value, choices);
  return plainField(label, name, value);
}

const hints: Partial<Record<FormName, string>> = {
  blockedReason: 'Only with a status that is blocked.',
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

/** Approval is not chosen here: it has its own forms. */
function statusField(label: Labelled, value: string, { options, type, stored }: Choices): Content {
  if (stored?.status === 'pending_approval') {
    return label(select('statusKey', value, [[value, statusLabel(options, value)]]), 'Waits for approval: decided on the item’s page.');
  }
  const ofType = options.statuses.filter(
    ({ types, approval, key }) => types.includes(type) && (!approval || key === stored?.fields.statusKey),
  );
  return label(
    select(
      'statusKey',
      value,
      withCurrent(
        ofType.map(({ key, label: text }) => [key, text]),
        value,
        value,
      ),
    ),
  );
}

export const statusLabel = (options: AllOptions, key: string): string => options.statuses.find((one) => one.key === key)?.label ?? key;

/** A choice that is no longer offered stays as long as the item has it. */
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

function peopleOf(name: 'assigneeId' | 'ownerId', { options, stored, ownerName }: Choices): Choice[] {
  const people: Choice[] = options.assignees.map((person) => [String(person.id), person.name]);
  const [id, text] = name === 'ownerId' ? [stored?.ownerId, ownerName] : [stored?.fields.assigneeId, stored?.fields.assigneeName];
  return withCurrent(people, id == null ? '' : String(id), text ?? String(id));
}

function linkField(label: Labelled, name: LinkName, value: string, { targets, links, stored, type }: Choices): Content {
  const types = linkTargets[name](type);
  const fitting = targets.filter((target) => types.includes(target.type) && target.id !== stored?.id);
  // Too many for a list: the id is typed, as it stands in the item's address.
  if (fitting.length >= MOST_CHOICES)
    return label((mark) => html`<input name="${name}" inputmode="numeric" value="${value}"${mark}>`, `The id of a ${types.join(' or ')}.`);
  const current = links.find((link) => String(link.id) === value);
  const choices = fitting.map(
    ({ id, title, type: targetType }): Choice => [String(id), types.length > 1 ? `${title} (${targetType})` : title],
  );
  return label(select(name, value, withCurrent(choices, value, current?.title ?? value), 'none'));
}

/** A value as people read it: the words behind keys and ids. */
export function shown(name: FormName, value: string, { options, targets, links, stored, ownerName }: Choices): string {
  if (value === '') return '';
  if (name === 'statusKey') return statusLabel(options, value);
  if (name === 'priorityKey') return options.priorities.find(({ key }) => key === value)?.label ?? value;
  if (name === 'assigneeId' || name === 'ownerId') {
    const stale = name === 'ownerId' ? ownerName : stored?.fields.assigneeName;
    return options.assignees.find(({ id }) => String(id) === value)?.name ?? stale ?? value;
  }
  if (isLink(name)) return [...links, ...targets].find(({ id }) => String(id) === value)?.title ?? value;
  return value;
}
