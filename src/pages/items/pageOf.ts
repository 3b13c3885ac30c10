import type { ItemType } from '../../access/rights.ts';
import { placesOf } from '../../items/changedFields.ts';
import { type LinkName, linkNames } from '../../items/fields.ts';
import { type EditedItem, editItem, type ShownItem, showItem } from '../../overviews/openItem.ts';
import { Forbidden } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { Fields } from '../frame/fields.ts';
import { type Prose, proseOf } from '../frame/formatting/prose.ts';
import { escapeHtml, Html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { hereOf, type Refusal } from '../frame/submitted.ts';
import { asOpened, mayWork, type OpenWorkspace } from '../workspace/openWorkspace.ts';
import { type Choices, formLabels } from './form.ts';
import type { InPlace } from './inPlace.ts';

// The list from which an item was opened. `in` is the list's query; `n` and `of` are the item's position (behaviour §21.3).

/** Maximum length in characters. */
const MOST = 2_000;

export function inListOf(query: string, place?: { n: number; of: string }): string {
  const known: Record<string, string> = { in: query, ...(place && { n: String(place.n), of: place.of }) };
  return `?${new URLSearchParams(known).toString()}`;
}

/** As inListOf, for all rows of a list; `of` is null if the length of the list is unknown. */
export function inListsOf(query: string, of: string | null): (n: number) => string {
  const before = inListOf(query);
  return (n) => (of === null ? before : `${before}&n=${n}&of=${encodeURIComponent(of)}`);
}

/** The part of the request's query to pass on; '' if the item was not opened from a list. */
export function inList(request: PageRequest): string {
  const query = request.query.get('in') ?? request.form.text('in');
  if (!query || query.length > MOST) return '';
  const place = placeOf(request);
  return inListOf(query, place ?? undefined);
}

export const listFields = (request: PageRequest): Record<string, string> => Object.fromEntries(new URLSearchParams(inList(request)));

export function placeOf({ query, form }: PageRequest): { n: number; of: string } | null {
  const [n, of] = [Number(query.get('n') ?? form.text('n')), query.get('of') ?? form.text('of')];
  return Number.isSafeInteger(n) && n > 0 && /^\d{1,3}(,?\d{3})*\+?$/.test(of) ? { n, of } : null;
}

export function lengthOf(groups: readonly { count: number; more: boolean }[]): string {
  const count = groups.reduce((all, group) => all + group.count, 0);
  return `${count.toLocaleString('en')}${groups.some(({ more }) => more) ? '+' : ''}`;
}

/** The same with the list from which it was opened. */
export const hereInList = (request: PageRequest): string => itemPath(request) + inList(request);

interface InWorkspace {
  workspace: OpenWorkspace;
  /** With the context path. */
  at: string;
}

export type OpenedItem = ShownItem & InWorkspace;

/** Throws Forbidden for an item that is missing, hidden or in another workspace. */
export async function openItem(request: PageRequest): Promise<OpenedItem> {
  const until = untilOf(request);
  const found = await call(request, showItem, { ...idsOf(request), ...(until !== null && { until }) });
  return { ...found, ...inWorkspace(request, found) };
}

export async function openForEditing(request: PageRequest): Promise<EditedItem & InWorkspace> {
  const found = await call(request, editItem, idsOf(request));
  return { ...found, ...inWorkspace(request, found) };
}

/** Shows history only before this instant; null if absent or invalid. */
export function untilOf({ query }: PageRequest): string | null {
  const asked = query.get('until') ?? '';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : null;
}

/** Path of the item's page, below the context path. */
export const itemPath = ({ params }: PageRequest): string => `/workspaces/${params.id}/items/${params.itemId}`;
export const idsOf = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), id: Number(params.itemId) });

function inWorkspace(request: PageRequest, { membership, item }: Pick<ShownItem, 'membership' | 'item'>): InWorkspace {
  const workspace = asOpened(request, membership);
  return { workspace, at: `${workspace.at}/items/${item.id}` };
}

export interface ItemPage {
  request: PageRequest;
  opened: OpenedItem;
  clock: Clock;
  /** Fields of a form; only the refused form has submitted values and errors. */
  fieldsOf(form: FormName): Fields;
  /** Settings of the change links for items of a type. */
  inPlace(type: ItemType): InPlace;
  /** Return path of this page. */
  back: string;
  /** `?in=…` if the item was opened from a list, passed on by links; otherwise ''. */
  list: string;
  /** `list` as hidden fields. */
  listFields: Record<string, string>;
  /** Shows history only before this instant; null for the newest. */
  until: string | null;
  /** Renders the item's description, comments and approval messages. */
  prose: Prose;
}

export type FormName = 'comments' | 'approval' | 'log' | 'plan' | 'dependencies' | 'files';

export async function pageOf(request: PageRequest, opened: OpenedItem, refusal?: Refusal): Promise<ItemPage> {
  const sent = request.ctx.path.split('/').at(-1);
  const list = inList(request);
  const { workspace } = opened;
  const own = `${workspace.path}/items/${opened.item.id}`;
  return {
    request,
    opened,
    clock: clockOf(request),
    fieldsOf: (form) => new Fields(formLabels, refusal && sent === form ? { error: refusal.error, form: request.form } : undefined),
    // A refused form has its own URL; do not return there.
    back: request.ctx.path === request.basePath + own ? hereOf(request) : own + list,
    inPlace: (type) => ({ at: workspace.at, may: mayWork(workspace, type, 'write') }),
    list,
    listFields: listFields(request),
    until: untilOf(request),
    prose: withFileNames(
      opened,
      await proseOf(request, {
        at: opened.at,
        links: { items: `${workspace.at}/items`, people: opened.mentionable },
        texts: textsOf(opened),
      }),
    ),
  };
}

/** Stored texts have no file names, because keys read them. Pages show the names (behaviour §35.11). */
function withFileNames({ files }: OpenedItem, prose: Prose): Prose {
  const names = new Map(files.map(({ id, name }) => [String(id), escapeHtml(name)]));
  const nameAt = (address: string): string | undefined => names.get(address.slice(address.lastIndexOf('/') + 1));
  const named = (text: string) =>
    text
      .replace(/<img src="([^"]{1,300})" alt="Image"/g, (_whole, address) => `<img src="${address}" alt="${nameAt(address) ?? 'Image'}"`)
      .replace(/ href="([^"]{1,300})" rel="noopener nofollow ugc">File (\d{1,15})<\/a>/g, (whole, address, id) => {
        const name = address.endsWith(`/files/${id}`) ? names.get(id) : undefined;
        return name === undefined ? whole : whole.replace(`>File ${id}<`, () => `>${name}<`);
      });
  return (text) => (files.length > 0 && text.includes('/files/') ? new Html(named(prose(text).text)) : prose(text));
}

const textsOf = ({ item, approved, notes, context }: OpenedItem) => [
  ...[item.description, item.fields.acceptance, approved?.description, approved?.acceptance].map((text) => String(text ?? '')),
  ...(notes ?? []).map(({ body }) => body),
  ...context.approvals.map(({ comment }) => comment),
];

/** Data to show the item's values as text. */
export const choicesOf = ({ item, options, context }: OpenedItem): Choices => ({
  type: item.type,
  options,
  targets: [],
  stored: item,
  links: context.links,
  ownerName: context.owner?.name ?? null,
});

async function lead(request: PageRequest): Promise<Answer> {
  const [place] = await call(request, placesOf, { ids: [Number(request.params.itemId)] });
  if (!place) throw new Forbidden();
  return { redirect: `/workspaces/${place.workspaceId}/items/${place.id}` };
}

export const placeRoutes: PageRoute[] = [{ method: 'GET', path: '/items/:itemId', bare: true, handle: lead }];

/** Nearest first. */
const order: readonly LinkName[] = ['parentItemId', 'parentId', 'requirementId', 'releaseId', 'goalId'];

/** Linked items that the reader may see, nearest first. */
export function linksOf({ item, context }: OpenedItem): { name: LinkName; id: number; type: ItemType; title: string }[] {
  return order
    .filter((name) => linkNames.includes(name))
    .flatMap((name) => {
      const link = context.links.find(({ id }) => id === item.fields[name]);
      return link ? [{ name, ...link }] : [];
    });
}
