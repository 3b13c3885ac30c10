import { type ChangedTexts, getTexts } from '../../changes/listChanges.ts';
import type { ItemChange } from '../../changes/schema.ts';
import { type ApprovableName, type Approved, differing, nowOf } from '../../items/approved.ts';
import { isLink } from '../../items/fields.ts';
import { keysOf } from '../../values/records.ts';
import { clockOf } from '../frame/clock.ts';
import { section } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import type { IconName } from '../frame/components/icons.ts';
import { change as changeEntry } from '../frame/components/stream.ts';
import { day, moment, momentWithin } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { previousText } from './commentParts.ts';
import { type FormName, isText, kindOf, labelOf, labels } from './fields.ts';
import { displayedValue } from './form.ts';
import { crumbsToItem } from './head.ts';
import { choicesOf, type ItemPage, idsOf, type OpenedItem, openItem } from './pageOf.ts';
import { relationWords } from './relationWords.ts';
import { actorName } from './values.ts';

export function changeLine(page: ItemPage, change: ItemChange): Content {
  const { opened, clock } = page;
  const names = keysOf(labels).filter((name) => name in change.fields);
  return changeEntry({
    icon: signOf(change, names),
    id: `v${change.version}`,
    text: html`<b>${actorName(change.actor.name, change)}</b> ${changeText(page, change, names, opened.item.type)}`,
    when: moment(change.at, clock),
    below: previousText(page, change.id),
  });
}

function changeText(page: ItemPage, change: ItemChange, names: FormName[], type: string): Content {
  const related = relationWords(change.fields, page.opened.workspace.at);
  const parts = [...names.flatMap((name) => changed(page, change, name)), ...related];
  switch (change.kind) {
    case 'item.created':
      if (change.via === 'job') return html`created this ${type} by its repeat rule`;
      return html`created this ${type}${made(page, change, names)}${related.length > 0 && html` and ${listed(related)}`}`;
    case 'comment.updated':
      return 'edited a comment';
    case 'comment.deleted':
      return 'deleted a comment';
    case 'item.archived':
      return `archived this ${type}`;
    case 'item.restored':
      return `restored this ${type} from the archive`;
    case 'item.moved':
      return html`moved this ${type} here from ${placeName(page, change)}${parts.length > 0 && html` and ${listed(parts)}`}`;
    default:
      return parts.length > 0 ? listed(parts) : `changed this ${type}`;
  }
}

/** The workspace that the item left, if the reader is there, too. */
function placeName({ request }: ItemPage, { fields }: ItemChange): Content {
  const id = Array.isArray(fields.workspaceId) ? fields.workspaceId[0] : null;
  const place = request.user.frame?.workspaces.find((one) => one.id === id);
  return place ? html`<b>${place.name}</b>` : 'another workspace';
}

/** Leaves out the title and long texts of a new item, because the page shows them. */
function made(page: ItemPage, { fields }: ItemChange, names: FormName[]): Content {
  const said = names.flatMap((name) => {
    const both = fields[name];
    return name !== 'title' && Array.isArray(both) ? [html`${word(name)} <b>${value(page, name, both[1])}</b>`] : [];
  });
  return said.length > 0 && html` with ${listed(said)}`;
}

function changed(page: ItemPage, { id, fields }: ItemChange, name: FormName): Content[] {
  const both = fields[name];
  if (both === undefined) return [];
  if (both === true) return [html`changed the ${word(name)} (<a href="${page.opened.at}/changes/${id}">compare</a>)`];
  const [before, now] = both;
  const was = isNothing(before) ? null : html`<del>${value(page, name, before)}</del>`;
  if (isNothing(now)) return [html`removed the ${word(name)} ${was}`];
  const is = html`<b>${value(page, name, now)}</b>`;
  return [was ? html`changed the ${word(name)} from ${was} to ${is}` : html`set the ${word(name)} to ${is}`];
}

const isNothing = (stored: unknown): boolean => stored === null || stored === undefined || stored === '';

const word = (name: FormName): string => labelOf(name).replace(/^./, (first) => first.toLowerCase());

function value({ opened, clock }: ItemPage, name: FormName, stored: unknown): Content {
  const text = String(stored);
  if (name === 'assigneeId' || name === 'ownerId') return opened.history.people[text] ?? text;
  if (isLink(name)) {
    const title = opened.context.links.find((link) => String(link.id) === text)?.title;
    return html`<a href="${opened.workspace.at}/items/${text}">${title ?? `#${text}`}</a>`;
  }
  if (kindOf(name) === 'date') return day(text, clock);
  return displayedValue(name, text, choicesOf(opened), clock);
}

const list = new Intl.ListFormat('en-GB');

const listed = (parts: Content[]): Content =>
  list.formatToParts(parts.map((_part, n) => String(n))).map(({ type, value }) => (type === 'element' ? parts[Number(value)] : value));

function signOf({ kind, fields }: ItemChange, names: FormName[]): IconName {
  if (kind === 'item.created') return 'plus';
  if (kind === 'item.archived') return 'archive';
  if (kind === 'item.moved') return 'arrow-right';
  if (kind === 'comment.deleted') return 'trash-2';
  if (kind === 'item.restored') return 'archive-restore';
  const [first] = names;
  if (first === undefined) return fields.labels ? 'tag' : fields.blockedBy ? 'octagon-alert' : 'pencil';
  if (names.includes('statusKey')) return 'circle-dashed';
  if (isText(first) || first === 'title') return 'pencil';
  if (first === 'assigneeId' || first === 'ownerId') return 'user';
  if (first === 'priorityKey') return 'chevrons-up';
  return isLink(first) ? 'link' : kindOf(first) === 'date' ? 'calendar' : 'pencil';
}

// Names of the people who changed an item after a version. Pure.

/** `changes`: newest first. Returns "Another user" if no change is recorded. */
export function whoChanged(changes: readonly ItemChange[], version: number): string {
  const later = changes.filter((change) => change.version > version && change.commentId === undefined);
  const names = [...new Set(later.map((change) => actorName(change.actor.name, change)))];
  return names.length ? list.format(names) : 'Another user';
}

/** Changes to an item after its approval. The approval stays valid (behaviour §4.24). */
const namesOf = ({ item }: OpenedItem, approved: Approved) => keysOf(differing(item, approved));

/** For the approval box. Fields that the reader may not see are left out. */
export function changedWords(opened: OpenedItem, approved: Approved): Content {
  const names = namesOf(opened, approved).map((name) => labels[name]);
  return html`<p class="since"><b>Changed since approval</b>${names.length > 0 && html`: <a href="#changed-since-approval">${names.join(', ')}</a>`}.</p>`;
}

export function changedSincePart(page: ItemPage): Content {
  const { opened } = page;
  const { approved } = opened;
  const names = approved ? namesOf(opened, approved) : [];
  if (!approved || names.length === 0) return null;
  const sides = names.map(
    (name) => html`<section aria-label="${labels[name]}"><h3>${labels[name]}</h3><div class="sides">
<div class="version"><h4>Approved version</h4>${approvedValue(page, name, approved[name])}</div>
<div class="version now"><h4>Now</h4>${approvedValue(page, name, nowOf(opened.item, name))}</div></div></section>`,
  );
  return section({ title: 'Changed since approval', id: 'changed-since-approval', class: 'compared' }, sides);
}

function approvedValue(page: ItemPage, name: ApprovableName, value: string | number | null | undefined): Content {
  const { opened, clock } = page;
  if (value == null || value === '') return html`<p class="meta">empty</p>`;
  if (name === 'description' || name === 'acceptance') return page.prose(String(value));
  if (isLink(name)) {
    const title = opened.context.links.find(({ id }) => id === value)?.title;
    return html`<p><a href="${opened.workspace.at}/items/${value}">${title ?? `#${value}`}</a></p>`;
  }
  return html`<p>${kindOf(name) === 'date' ? day(String(value), clock) : value}</p>`;
}

/** Throws Forbidden if the change does not exist, is hidden, or changed no text. */
export const readTexts = (request: PageRequest, changeId: number): Promise<ChangedTexts> =>
  call(request, getTexts, { ...idsOf(request), changeId });

async function show(request: PageRequest): Promise<Answer> {
  const { item, workspace, at } = await openItem(request);
  const { change, texts } = await readTexts(request, Number(request.params.changeId));
  const clock = clockOf(request);
  const side = (label: string, text: string, kind = '') =>
    html`<div class="version${kind}"><h3>${label}</h3><div class="text" dir="auto">${text || html`<span class="meta">(nothing)</span>`}</div></div>`;
  const bring = (name: string) =>
    linkButton(`${at}/edit?${new URLSearchParams({ bring: name, from: String(change.id) }).toString()}`, 'Restore previous text', {
      icon: 'undo-2',
      small: true,
    });
  return {
    title: 'Previous text',
    tab: `${item.title}: previous text`,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`<p>${actorName(change.actor.name, change)} changed this ${momentWithin(change.at, clock)}, version ${change.version}.</p>
${texts.map(
  ({ name, before, after }) => html`<section class="compared" aria-label="${labels[name]}"><h2>${labels[name]}</h2><div class="sides">
${side('Before', before)}${side('After', after, ' now')}</div>
${mayWork(workspace, item.type, 'write') && html`<p class="do">${bring(name)}</p>`}</section>`,
)}`,
  };
}

export const itemTextRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/items/:itemId/changes/:changeId', handle: show }];
