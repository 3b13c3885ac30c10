import type { ItemType } from '../../access/rights.ts';
import { hereOf } from '../frame/back.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { Fields } from '../frame/fields.ts';
import { type Prose, proseOf } from '../frame/formatting/prose.ts';
import type { PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { type Choices, formLabels } from './form.ts';
import type { InPlace } from './inPlace.ts';
import { inList, listFields } from './neighbours.ts';
import { type OpenedItem, untilOf } from './open.ts';

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

export type FormName = 'comments' | 'approval' | 'log' | 'plan';

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
    prose: await proseOf(request, {
      at: opened.at,
      links: { items: `${workspace.at}/items`, people: opened.mentionable },
      texts: textsOf(opened),
    }),
  };
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
