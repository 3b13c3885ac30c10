/** The form of an item: only the fields that apply to its type (behaviour §4.2), each offering what can be chosen. */
import type { z } from 'zod';
import type { ItemType } from '../../access/rights.ts';
import { type LinkName, linkTargets } from '../../items/fields.ts';
import { getLinkChoices, type LinkChoice, MOST_CHOICES } from '../../items/linkChoices.ts';
import type { Work } from '../../items/schema.ts';
import { getOptions } from '../../workspaces/getOptions.ts';
import type { Options } from '../../workspaces/schema.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';
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

export async function readChoices(
  request: PageRequest,
  workspaceId: number,
  type: ItemType,
  stored: Work | null = null,
  known: { links: readonly LinkChoice[]; ownerName: string | null } = { links: [], ownerName: null },
): Promise<Choices> {
  const options = await call(request, getOptions, { workspaceId });
  const targets = await call(request, getLinkChoices, { workspaceId, type });
  return { type, options, targets, stored, ...known };
}

interface FormShape {
  action: string;
  csrf: string;
  choices: Choices;
  values: Values;
  /** Fields this person may not see. */
  without: readonly FormName[];
  button: string;
}

/** Multipart, since a text of the greatest length would outgrow the limit when percent-encoded. */
export function itemForm({ action, csrf, choices, values, without, button }: FormShape): Content {
  const { stored, type } = choices;
  const field = (name: FormName) => fieldOf(name, values[name] ?? '', choices);
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${csrfField(csrf)}
${stored ? html`<input type="hidden" name="version" value="${stored.version}"><input type="hidden" name="marks" value="${marksOf(valuesOf(stored, Object.keys(values) as FormName[]))}">` : html`<input type="hidden" name="type" value="${type}">${onceField()}`}
${['title', 'description', 'acceptance'].filter((name) => name in values).map((name) => field(name as FormName))}
${groupsOf(type, without).map(({ legend, names }) => html`<fieldset><legend>${legend}</legend><div class="sides">${names.map(field)}</div></fieldset>`)}
<button>${button}</button>
</form>`;
}

const label = (name: FormName, control: Content, hint: Content = null) =>
  html`<label>${labels[name]} ${control}${hint && html`<small>${hint}</small>`}</label>`;

function fieldOf(name: FormName, value: string, choices: Choices): Content {
  if (name === 'title') return label(name, html`<input name="title" required value="${value}">`);
  // A browser drops the first line end inside a textarea: ours stands in for it. No maxlength: browsers count other units than we do
  // (behaviour §4.6), and would refuse what is stored.
  if (isText(name)) return label(name, html`<textarea name="${name}" rows="${name === 'description' ? 7 : 4}">${`\n${value}`}</textarea>`);
  if (name === 'statusKey') return statusField(value, choices);
  if (name === 'priorityKey') return label(name, select(name, value, prioritiesOf(value, choices), 'none'));
  if (name === 'assigneeId' || name === 'ownerId') return label(name, select(name, value, peopleOf(name, choices), 'nobody'));
  if (isLink(name)) return linkField(name, value, choices);
  return plainField(name, value);
}

const hints: Partial<Record<FormName, string>> = {
  blockedReason: 'Only with a status that is blocked.',
  reachPeriod: 'A quarter, such as 2026-Q3.',
};

function plainField(name: FormName, value: string): Content {
  const kind = kindOf(name);
  if (kind === 'date') return label(name, html`<input type="date" name="${name}" value="${value}">`);
  if (kind === 'number') return label(name, html`<input name="${name}" inputmode="decimal" value="${value}">`);
  return label(name, html`<input name="${name}" value="${value}">`, hints[name]);
}

type Choice = readonly [value: string, label: string];

function select(name: FormName, value: string, choices: readonly Choice[], none?: string): Content {
  return html`<select name="${name}">${none !== undefined && option('', none, value)}${choices.map(([key, text]) => option(key, text, value))}</select>`;
}

/** Approval is not chosen here: it has its own forms. */
function statusField(value: string, { options, type, stored }: Choices): Content {
  if (stored?.status === 'pending_approval') {
    return label(
      'statusKey',
      select('statusKey', value, [[value, statusLabel(options, value)]]),
      'Waits for approval: decided on the item’s page.',
    );
  }
  const ofType = options.statuses.filter(
    ({ types, approval, key }) => types.includes(type) && (!approval || key === stored?.fields.statusKey),
  );
  return label(
    'statusKey',
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

function linkField(name: LinkName, value: string, { targets, links, stored, type }: Choices): Content {
  const types = linkTargets[name](type);
  const fitting = targets.filter((target) => types.includes(target.type) && target.id !== stored?.id);
  // Too many for a list: the id is typed, as it stands in the item's address.
  if (fitting.length >= MOST_CHOICES)
    return label(name, html`<input name="${name}" inputmode="numeric" value="${value}">`, `The id of a ${types.join(' or ')}.`);
  const current = links.find((link) => String(link.id) === value);
  const choices = fitting.map(
    ({ id, title, type: targetType }): Choice => [String(id), types.length > 1 ? `${title} (${targetType})` : title],
  );
  return label(name, select(name, value, withCurrent(choices, value, current?.title ?? value), 'none'));
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

/** What the rules refuse, in the words of the form: "fields.dueDate: …" is about "Due". */
export function inFormWords(message: string): string {
  const known = (whole: string, name: string) => (Object.hasOwn(labels, name) ? labels[name as FormName] : whole);
  return message
    .replace(/^(?:id|status|comment|body): (.)/, (_whole, first: string) => first.toUpperCase())
    .replace(/\bfields\.(\w+)/g, known)
    .replace(/^record\./, '')
    .replace(/^(\w+)(?=: )/, known);
}
