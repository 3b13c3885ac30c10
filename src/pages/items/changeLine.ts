import type { ItemChange } from '../../changes/schema.ts';
import { keysOf } from '../../values/records.ts';
import type { IconName } from '../frame/components/icons.ts';
import { change as changeEntry } from '../frame/components/stream.ts';
import { day, moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { actorName } from './doneBy.ts';
import { type FormName, isLink, isText, kindOf, labelOf, labels, unitOf } from './fields.ts';
import { displayedValue } from './form.ts';
import { choicesOf, type ItemPage } from './pageOf.ts';

export function changeLine(page: ItemPage, change: ItemChange): Content {
  const { opened, clock } = page;
  const names = keysOf(labels).filter((name) => name in change.fields);
  return changeEntry({
    icon: signOf(change, names),
    id: `v${change.version}`,
    text: html`<b>${actorName(change.actor.name, change)}</b> ${changeText(page, change, names, opened.item.type)}`,
    when: moment(change.at, clock),
  });
}

function changeText(page: ItemPage, change: ItemChange, names: FormName[], type: string): Content {
  switch (change.kind) {
    case 'item.created':
      return html`created this ${type}${made(page, change, names)}`;
    case 'item.archived':
      return `archived this ${type}`;
    case 'item.restored':
      return `restored this ${type} from the archive`;
    default:
      return names.length > 0 ? listed(names.map((name) => changed(page, change, name))) : `changed this ${type}`;
  }
}

/** Leaves out the title and long texts of a new item, because the page shows them. */
function made(page: ItemPage, { fields }: ItemChange, names: FormName[]): Content {
  const said = names.filter((name) => name !== 'title' && fields[name] !== true);
  return said.length > 0 && html` with ${listed(said.map((name) => html`${word(name)} <b>${value(page, name, after(fields, name))}</b>`))}`;
}

function changed(page: ItemPage, { id, fields }: ItemChange, name: FormName): Content {
  const both = fields[name]!;
  if (both === true) return html`changed the ${word(name)} (<a href="${page.opened.at}/changes/${id}">compare</a>)`;
  const [before, now] = both;
  const was = isNothing(before) ? null : html`<del>${value(page, name, before)}</del>`;
  if (isNothing(now)) return html`removed the ${word(name)} ${was}`;
  const is = html`<b>${value(page, name, now)}</b>`;
  return was ? html`changed the ${word(name)} from ${was} to ${is}` : html`set the ${word(name)} to ${is}`;
}

const isNothing = (stored: unknown): boolean => stored === null || stored === undefined || stored === '';
const after = (fields: ItemChange['fields'], name: FormName): unknown => (fields[name] as [unknown, unknown])[1];

const word = (name: FormName): string => labelOf(name).replace(/^./, (first) => first.toLowerCase());

function value({ opened, clock }: ItemPage, name: FormName, stored: unknown): Content {
  const text = String(stored);
  if (name === 'assigneeId' || name === 'ownerId') return opened.history.people[text] ?? text;
  if (isLink(name)) {
    const title = opened.context.links.find((link) => String(link.id) === text)?.title;
    return html`<a href="${opened.workspace.at}/items/${text}">${title ?? `#${text}`}</a>`;
  }
  if (kindOf(name) === 'date') return day(text, clock);
  return html`${displayedValue(name, text, choicesOf(opened))}${unitOf(name)}`;
}

const listed = (parts: Content[]): Content => parts.map((part, n) => html`${n > 0 && (n === parts.length - 1 ? ' and ' : ', ')}${part}`);

function signOf({ kind }: ItemChange, names: FormName[]): IconName {
  if (kind === 'item.created') return 'plus';
  if (kind === 'item.archived') return 'archive';
  if (kind === 'item.restored') return 'archive-restore';
  const [first] = names;
  if (first === undefined) return 'pencil';
  if (names.includes('statusKey')) return 'circle-dashed';
  if (isText(first) || first === 'title') return 'pencil';
  if (first === 'assigneeId' || first === 'ownerId') return 'user';
  if (first === 'priorityKey') return 'chevrons-up';
  return isLink(first) ? 'link' : kindOf(first) === 'date' ? 'calendar' : 'pencil';
}
