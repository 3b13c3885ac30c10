/** The toast: the result of the last form, with Undo (behaviour §23.10). There is one, at the bottom of the window; nothing moves.
 *
 *  A page offers Undo by naming its change in the redirect. The next page reads the change, describes it and shows Undo if
 *  the user may still undo it:
 *  ```ts
 *  return { redirect: back, notice: 'archived', undo: undoOf.items({ workspaceId, itemId, version }) };
 *  return { redirect: back, notice: 'logged', undo: undoOf.time(entry) };
 *  ```
 *  A form with `live` shows the toast in place. Scripts call `stint.tell(text)` for errors. With script the toast leaves after 10 seconds
 *  (toast.ts in static/js). To undo another kind of thing, add a kind here and to `overviews/lastChange.ts`. */
import type { ChangedItem, LastChange, lastChange } from '../../overviews/lastChange.ts';
import { ownValue } from '../../values/records.ts';
import { type FormName, labels, nounOf } from '../items/fields.ts';
import type { Clock } from './clock.ts';
import { button, iconLink, linkButton } from './components/button.ts';
import { icon } from './components/icon.ts';
import { statusIcon } from './components/status.ts';
import { dayWords, hours, within } from './components/when.ts';
import { type Content, html } from './html.ts';
import { notices } from './notices.ts';
import { type FormContext, postForm } from './postForm.ts';
import { quantity } from './widgets.ts';

/** A commit, named by any item that it changed and the version it created. */
interface Commit {
  workspaceId: number;
  itemId: number;
  version: number;
}

interface Revised {
  id: number;
  revision: number;
}

/** Values of ?undo=: they only name a change. Reading and undoing it check the rights. */
export const undoOf = {
  items: ({ workspaceId, itemId, version }: Commit): string => `${workspaceId}.${itemId}.${version}`,
  time: ({ id, revision }: Revised): string => `time.${id}.${revision}`,
  /** A stopped timer. */
  stopped: ({ id, revision }: Revised): string => `stopped.${id}.${revision}`,
  plan: ({ id, revision }: Revised): string => `plan.${id}.${revision}`,
  /** `from`: its times before. */
  moved: ({ id, revision }: Revised, ...from: readonly [string, string]): string =>
    ['moved', id, revision, ...from.map((local) => local.replaceAll(/\D/g, ''))].join('.'),
  cancelled: ({ id, revision }: Revised): string => `cancelled.${id}.${revision}`,
  told: ({ id }: { id: number }): string => `told.${id}.1`,
  file: (fileId: number): string => `file.${fileId}.1`,
};

interface Named {
  /** Input of `lastChange`. Null for a notification: its text says enough, and undoing it needs no right. */
  change: Parameters<typeof lastChange.run>[2] | null;
  action: string;
  hidden: Record<string, number | string>;
  /** For a planned block: the verb at the start of the message. */
  verb?: string;
}

const mark =
  /^(?:(time|stopped|plan|moved|cancelled|told|file)|([1-9]\d{0,15}))\.([1-9]\d{0,15})\.([1-9]\d{0,8})(?:\.(\d{12})\.(\d{12}))?$/;
const verbs = { plan: 'Planned', moved: 'Moved to', cancelled: 'Cancelled' } as const;

/** "202611240930" as 2026-11-24T09:30. */
const localOf = (digits = '') => digits.replace(/^(\d{4})(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5');

function namedBy(undo: string | null): Named | null {
  const [, kind, workspace, first, second, start, end] = mark.exec(undo ?? '') ?? [];
  const [id, revision] = [Number(first), Number(second)];
  if (!first || ![id, Number(workspace ?? 1)].every(Number.isSafeInteger)) return null;
  if (kind === 'time' || kind === 'stopped')
    return { change: { kind, entryId: id, revision }, action: '/my/undo', hidden: { what: kind, entryId: id, revision } };
  if (kind === 'plan' || kind === 'moved' || kind === 'cancelled') {
    const times = kind === 'moved' && { startLocal: localOf(start), endLocal: localOf(end) };
    const hidden = { what: kind, blockId: id, revision, ...times };
    return { change: { kind: 'plan', blockId: id, revision }, action: '/my/undo', hidden, verb: verbs[kind] };
  }
  if (kind === 'told') return { change: null, action: '/notifications/undo', hidden: { notificationId: id } };
  if (kind === 'file') return { change: { kind, fileId: id }, action: `/files/${id}/restore`, hidden: {} };
  const hidden = { itemId: id, version: revision };
  return { change: { kind: 'items', workspaceId: Number(workspace), ...hidden }, action: `/workspaces/${workspace}/undo`, hidden };
}

export interface ToastAsked {
  /** A key of `notices`; an unknown one shows nothing. */
  notice: string | null;
  undo: string | null;
}

export type ReadChange = (named: NonNullable<Named['change']>) => Promise<LastChange | null>;

export interface ToastPlace extends FormContext {
  /** This page, below the context path. */
  here: string;
  clock: Clock;
}

/** Null if there is nothing to show. */
export async function toastOf(asked: ToastAsked, place: ToastPlace, read: ReadChange): Promise<Content> {
  const said = noticeIn(asked);
  if (said === undefined) return null;
  const named = namedBy(asked.undo);
  if (named?.change === null) return toast(place, said, undoForm(place, named));
  const change = named && (await read(named.change));
  if (!named || !change) return toast(place, said);
  const form = change.mayUndo && undoForm(place, named);
  return toast(place, textOf(change, place, named.verb), html`${dependentsLink(change, place)}${form}`, doneIn(change));
}

const noticeIn = ({ notice }: ToastAsked): string | undefined => (notice === null ? undefined : ownValue(notices, notice));

/** The notice alone, for pages of errors. */
export function plainToast(asked: ToastAsked, place: ToastPlace): Content {
  const said = noticeIn(asked);
  return said === undefined ? null : toast(place, said);
}

const undoForm = (place: ToastPlace, { action, hidden }: Named): Content =>
  postForm(
    place,
    { action, once: true, hidden: { ...hidden, back: place.here }, live: '#work' },
    button('Undo', { kind: 'quiet', class: 'undo', key: 'Z' }),
  );

function toast({ basePath, here }: ToastPlace, text: Content, undo?: Content, done: readonly number[] = []): Content {
  const close = iconLink(basePath + here, 'x', 'Close', { size: 's', attributes: html` data-close-notice` });
  return html`<div class="toast" role="status"${done.length > 0 && html` data-done="${done.join(' ')}"`}>${done.length > 0 ? statusIcon({ status: 'done', label: '', beside: true }) : icon('circle-check')}<p>${text}</p>${undo}${close}</div>`;
}

const became = ({ fields }: ChangedItem): boolean => fields.includes('status') || fields.includes('statusKey');

/** Opens the dialog that moves what would start before the changed items end. */
function dependentsLink(change: LastChange, { basePath, here }: ToastPlace): Content {
  if (change.kind !== 'items' || change.dependents === 0) return null;
  const query = new URLSearchParams({ back: here });
  for (const { id } of change.items) query.append('ids', String(id));
  const label = `Move ${quantity(change.dependents, 'dependent item')}`;
  return linkButton(`${basePath}/workspaces/${change.workspaceId}/dependents?${query}`, label, {
    kind: 'quiet',
    key: 'M',
    attributes: html` data-menu`,
  });
}

/** Items that this change marked done: their rows stay until the pointer leaves the list. */
const doneIn = (change: LastChange): number[] =>
  change.kind === 'items' ? change.items.filter((one) => one.status === 'done' && became(one)).map(({ id }) => id) : [];

function textOf(change: LastChange, place: ToastPlace, verb = ''): Content {
  if (change.kind === 'items') return itemsText(change, place);
  if (change.kind === 'file') return html`<b>${change.name}</b> removed`;
  if (change.kind === 'plan') {
    const { block } = change;
    const [from, to] = [block.startLocal, block.endLocal].map((local) => local.slice(11));
    return html`${verb} <b>${from}–${to}</b> ${within(dayWords(block.startLocal.slice(0, 10), place.clock))}${on(block.itemId, block.title)}`;
  }
  const { kind, entry } = change;
  const what = html`<b>${hours(entry.minutes)}</b>${on(entry.itemId, entry.itemTitle)}`;
  return kind === 'stopped' ? html`Timer stopped: ${what}` : html`Logged ${what}, ${within(dayWords(entry.date, place.clock))}`;
}

const on = (id: number | null, title: string | null): Content => id !== null && html` on <b>${id}</b> <bdi>${title}</bdi>`;

function itemsText({ workspaceId, items }: Extract<LastChange, { kind: 'items' }>, { basePath }: ToastPlace): Content {
  const [first, ...others] = items;
  if (!first) return null;
  const said = wordOf(first);
  const verb = items.every((one) => wordOf(one) === said) ? said : 'updated';
  const { id, title, kind } = first;
  const at = `${basePath}/workspaces/${workspaceId}`;
  if (others.length > 0) {
    const all = quantity(items.length, nounOf(items));
    return html`${kind === 'item.moved' ? html`<a href="${at}">${all}</a>` : all} ${verb}`;
  }
  const name = html`<b>${id}</b> <bdi>${title}</bdi>`;
  return html`${kind === 'item.created' || kind === 'item.moved' ? html`<a href="${at}/items/${id}">${name}</a>` : name} ${verb}`;
}

const ofKind: Partial<Record<ChangedItem['kind'], string>> = {
  'item.created': 'created',
  'item.archived': 'archived',
  'item.restored': 'restored',
  'item.moved': 'moved',
};

function wordOf(item: ChangedItem): string {
  const { kind, fields, status, statusLabel } = item;
  if (kind !== 'item.updated') return ofKind[kind] ?? 'updated';
  if (became(item)) return status === 'done' ? 'marked done' : `moved to ${statusLabel ?? status}`;
  const [only, ...more] = fields.filter((name): name is FormName => Object.hasOwn(labels, name));
  return only && more.length === 0 ? `updated: ${labels[only]}` : 'updated';
}
